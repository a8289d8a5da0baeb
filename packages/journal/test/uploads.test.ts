import { fileJournal, withJournal } from "@fs/journal";
import { type AnyBackendProtocol, interceptBackend, MemoryBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { bytes, contents } from "./journalled.js";

const DOWN = { error: "The storage is down.", code: "unavailable" } as const;

/** A journal that cannot store its `n`th beginning. */
function failingAt(n: number, base: AnyBackendProtocol) {
  let begins = 0;
  const kept = interceptBackend(new MemoryBackend(), async ({ method, args }, proceed, refuse) => {
    const begin = method === "uploadFiles" && JSON.stringify(args[0]).includes(".begin.");
    return begin && ++begins === n ? refuse(DOWN) : proceed();
  });
  return withJournal(base, { store: fileJournal(kept) });
}

describe("an upload whose later part cannot be recorded", () => {
  test("says of each file what became of it, of a path that comes twice (A7, T1)", async () => {
    const base = new MemoryBackend();
    const answers = await failingAt(2, base).uploadFiles?.([
      ["/a", bytes("1")],
      ["/b", bytes("1")],
      ["/a", bytes("2")],
    ]);
    expect(answers).toMatchObject([
      { path: "/a", error: null },
      { path: "/b", error: null },
      { path: "/a", error: "permission_denied", code: "unavailable" },
    ]);
    expect(await contents(base)).toEqual({ "/a": "1", "/b": "1" });
  });

  test("says of each file what became of it, of one that lost a race (A7, T1)", async () => {
    const base = new MemoryBackend();
    let raced = false;
    const racing = interceptBackend(base, async ({ method }, proceed) => {
      if (method === "uploadFiles" && !raced) {
        raced = true;
        await base.write("/b", "theirs");
      }
      return proceed();
    });
    const answers = await failingAt(2, racing).uploadFiles?.([
      ["/a", bytes("1")],
      ["/b", bytes("1")],
    ]);
    expect(answers).toMatchObject([{ error: null }, { code: "unavailable" }]);
    expect(await contents(base)).toEqual({ "/a": "1", "/b": "theirs" });
  });
});
