import {
  CompositeBackend,
  MemoryBackend,
  withPermissions,
  withPolicy,
  type BackendProtocolV2,
} from "@fs/protocol";
import { beforeAll, describe, expect, test } from "vitest";

const text = (lines: number, line: string): string => `${line}\n`.repeat(lines);
const wide = { before: 50, after: 50 };

/** 3,000 lines that match in `/secret`, 10 in `/open`. With 100 lines around each, the first alone are over the limit. */
async function filled(): Promise<MemoryBackend> {
  const backend = new MemoryBackend();
  for (let i = 0; i < 3; i++)
    await backend.write(`/secret/${i}.txt`, text(1000, `needle ${"x".repeat(5)}`));
  for (let i = 0; i < 5; i++)
    await backend.write(`/open/${i}.txt`, `one\nneedle\ntwo\nneedle\nthree ${i}\n`);
  return backend;
}

async function closed(): Promise<Record<string, BackendProtocolV2>> {
  const backend = await filled();
  const shadowing = new CompositeBackend(backend, { "/secret/": new MemoryBackend() });
  return {
    permissions: withPermissions(backend, [
      { operations: ["read"], paths: ["/secret/**"], mode: "deny" },
    ]),
    policy: withPolicy(backend, {
      beforeRead: ({ path }) => (path.startsWith("/secret/") ? "This is secret." : undefined),
    }),
    "a mount over it": shadowing,
  };
}

describe("matches that are hidden count for no lines of context", () => {
  let backends: Record<string, BackendProtocolV2> = {};
  beforeAll(async () => {
    backends = await closed();
  });

  test.each(["permissions", "policy", "a mount over it"])("by %s", async (name) => {
    const backend = backends[name];
    const found = await backend?.grep("needle", "/", null, null, wide);
    expect(found?.error).toBeUndefined();
    expect(found?.matches).toHaveLength(10);
    expect(found?.matches?.[1]).toEqual({
      path: "/open/0.txt",
      line: 4,
      text: "needle",
      before: ["one", "needle", "two"],
      after: ["three 0"],
    });
    const filtered = await backend?.grep("needle", "/", "open/*.txt", 3, wide);
    expect(filtered).toMatchObject({ truncated: true });
    expect(filtered?.matches?.map(({ path }) => path)).toEqual([
      "/open/0.txt",
      "/open/0.txt",
      "/open/1.txt",
    ]);
    expect(filtered?.matches?.[2]?.before).toEqual(["one"]);
  });

  test.each(["permissions", "policy"])("nor show in the refusal of %s", async (name) => {
    const found = await backends[name]?.grep("needle", "/", null, null, {
      before: 30_000,
      after: 0,
    });
    expect(found).toEqual({
      code: "invalid_argument",
      error: expect.stringMatching(/^10 matches with 30000 lines of context each/),
    });
  });
});

test("mounts together stay within the limit of one answer", async () => {
  const half = async (): Promise<MemoryBackend> => {
    const backend = new MemoryBackend();
    await backend.write("/a.txt", text(1500, "needle"));
    return backend;
  };
  const composite = new CompositeBackend(await half(), { "/other/": await half() });
  expect(await composite.grep("needle", "/", null, null, wide)).toEqual({
    code: "invalid_argument",
    error: expect.stringMatching(/^3000 matches with 100 lines of context each/),
  });
  expect((await composite.grep("needle", "/", null, 2000, wide)).matches).toHaveLength(2000);
});

test("a cap that just fits is not refused for the one more that is looked for", async () => {
  const composite = new CompositeBackend(await filled(), { "/x/": new MemoryBackend() });
  const found = await composite.grep("needle", "/secret", null, 2000, wide);
  expect(found.matches).toHaveLength(2000);
  expect(found.truncated).toBe(true);
});
