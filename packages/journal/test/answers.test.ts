import { fileJournal, withJournal } from "@fs/journal";
import {
  type AnyBackendProtocol,
  type Around,
  interceptBackend,
  MemoryBackend,
  type SandboxFilesystem,
} from "@fs/protocol";
import { describe, expect, test, vi } from "vitest";
import { bytes, contents } from "./journalled.js";

const DOWN = { error: "The storage is down.", code: "unavailable" } as const;

const CLOSED = { error: "It may not be read.", code: "permission_denied" } as const;

/** A journal over a backend whose calls go another way, and the errors that it reports. */
function reported(base: AnyBackendProtocol, around: Around) {
  const errors: unknown[] = [];
  const files = withJournal(interceptBackend(base, around), {
    store: fileJournal(new MemoryBackend()),
    onError: (error) => void errors.push(error),
  });
  const outcomes = async (): Promise<unknown> =>
    (await files.journal.history()).records?.map(({ method, outcome }) => [method, outcome]);
  return { files, errors, outcomes };
}

describe("a change that was made", () => {
  test.each(["move", "edit", "delete of a directory"])(
    "is answered as made where the look after it fails, and settled later: %s",
    async (kind) => {
      const base = new MemoryBackend();
      await base.uploadFiles([
        ["/a", bytes("1")],
        ["/d/a", bytes("1")],
      ]);
      let down = false;
      const { files, errors, outcomes } = reported(base, async ({ method }, proceed, refuse) => {
        if (method === "downloadFiles" && down) return refuse(DOWN);
        const answer = await proceed();
        if (method !== "downloadFiles" && method !== "glob" && method !== "stat") down = true;
        // An edit that stores something else than was foreseen.
        return method === "edit" ? { ...answer, size: 99 } : answer;
      });
      const answer = await (kind === "move"
        ? files.move?.("/a", "/b")
        : kind === "edit"
          ? files.edit("/a", "1", "2")
          : files.delete?.("/d"));
      expect(answer?.error).toBeUndefined();
      expect(errors).toMatchObject([{ code: "unavailable" }]);
      down = false;
      expect(await outcomes()).toMatchObject([[kind.split(" ")[0], "open"]]);
      expect((await files.journal.settle(0)).records).toMatchObject([{ outcome: "done" }]);
    },
  );

  test("that may not be read afterwards is as it was foreseen", async () => {
    const base = new MemoryBackend();
    await base.write("/a", "1");
    let moved = false;
    const { files, outcomes } = reported(base, async ({ method }, proceed, refuse) => {
      if (method === "downloadFiles" && moved) return refuse(CLOSED);
      const answer = await proceed();
      if (method === "move") moved = true;
      return answer;
    });
    expect((await files.move?.("/a", "/b"))?.error).toBeUndefined();
    expect(await outcomes()).toEqual([["move", "done"]]);
    expect(await contents(base)).toEqual({ "/b": "1" });
  });
});

test("a file that may not be read when its call is settled closes no journal, and is unknown (J4)", async () => {
  const base = new MemoryBackend();
  await base.write("/a", "1");
  let closed = false;
  const { files, outcomes } = reported(base, async ({ method }, proceed, refuse) => {
    if (method === "edit") closed = true;
    return closed ? refuse(method === "edit" ? DOWN : CLOSED) : proceed();
  });
  expect((await files.edit("/a", "1", "2")).code).toBe("unavailable");
  expect((await files.journal.settle(0)).error).toBeUndefined();
  expect(await outcomes()).toEqual([["edit", "unknown"]]);
});

test("a call is settled also where the clock was set back since it began", async () => {
  const { files, outcomes } = reported(new MemoryBackend(), async ({ method }, proceed, refuse) =>
    method === "write" ? refuse(DOWN) : proceed(),
  );
  expect((await files.write("/a", "1")).code).toBe("unavailable");
  expect(await outcomes()).toEqual([["write", "open"]]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60_000 });
  try {
    expect((await files.journal.settle(0)).error).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
  expect(await outcomes()).toEqual([["write", "not done"]]);
});

test("a call that throws is not under way any more, and a command is unknown at once", async () => {
  const base = new MemoryBackend();
  const execute = async (): Promise<never> => {
    throw new Error("lost");
  };
  const sandbox = Object.assign(
    interceptBackend(base, async ({ method }, proceed) => {
      if (method === "write" || method === "copy" || method === "uploadFiles")
        throw new Error("lost");
      return proceed();
    }),
    { id: "box", execute },
  );
  const files = withJournal(sandbox, { store: fileJournal(new MemoryBackend()) });
  await base.write("/a", "1");
  expect((await files.write("/b", "1")).code).toBe("unavailable");
  expect((await files.copy?.("/a", "/c"))?.code).toBe("unavailable");
  expect(await files.uploadFiles?.([["/d", bytes("1")]])).toMatchObject([{ code: "unavailable" }]);
  await (files as unknown as SandboxFilesystem).execute("make");
  expect((await files.journal.history()).records?.at(-1)?.outcome).toBe("unknown");
  expect((await files.journal.settle(0)).records).toHaveLength(3);
  const { records } = await files.journal.history();
  expect(records?.map(({ outcome }) => outcome)).toEqual([
    "not done",
    "not done",
    "not done",
    "unknown",
  ]);
});
