import { type Filesystem, interceptBackend, MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { callCounter } from "./call-counter.js";
import { baseWith, contents, statuses } from "./trees.js";

describe("two processes on one upper layer", () => {
  test("lose nothing (B9)", async () => {
    const base = await baseWith({ "/log": "<end>" });
    const upper = new MemoryBackend();
    const clients = [0, 1, 2, 3].map(() => new StagingBackend(base, { upper }));
    await Promise.all(
      clients.flatMap((client, c) =>
        [0, 1, 2, 3, 4].map(async (n) => {
          const edited = await client.edit("/log", "<end>", `${c}.${n}\n<end>`);
          expect(edited.error).toBeUndefined();
        }),
      ),
    );
    const lines = String((await clients[0]?.read("/log"))?.content).split("\n");
    expect(lines).toHaveLength(21);
  });
});

describe("after a commit that is not wanted", () => {
  test("discard takes back what is named, also out of a removed directory", async () => {
    const before = { "/a": "1", "/dir/b": "1", "/dir/c": "1" };
    const base = await baseWith(before);
    const staged = new StagingBackend(base);
    await staged.edit("/a", "1", "2");
    await staged.delete("/dir");
    expect((await staged.discard("/dir/b")).paths).toEqual(["/dir/b"]);
    expect(await contents(staged)).toEqual({ "/a": "2", "/dir/b": "1" });
    expect((await staged.discard()).paths).toEqual(["/a", "/dir/c"]);
    expect(await contents(staged)).toEqual(before);
    expect((await staged.changes()).changes).toEqual([]);
  });

  test.each([
    ["a file", ["/d/a"], "/d/a/b"],
    ["a file of a removed directory", ["/d"], "/d/a/b"],
    ["a file below what is a file now", ["/d/a"], "/d"],
  ])("discard does not bring %s back beside what is staged", async (_, removed, other) => {
    const path = "/d/a";
    const before = { [path]: "1" };
    const staged = new StagingBackend(await baseWith(before));
    for (const one of removed) await staged.delete(one);
    expect((await staged.write(other, "new")).error).toBeUndefined();
    expect(await staged.discard(path)).toEqual({
      error: `'${path}' cannot show again beside the staged '${other}': a file and a directory would be at one path. Discard both.`,
      code: "conflict",
    });
    expect(await contents(staged)).toEqual({ [other]: "new" });
    expect((await staged.discard()).error).toBeUndefined();
    expect(await contents(staged)).toEqual(before);
  });

  test("rebase merges what the base got meanwhile, or shows both", async () => {
    const base = await baseWith({ "/a": "1\n2\n3\n", "/b": "1\n" });
    const staged = new StagingBackend(base);
    await staged.edit("/a", "1", "ours");
    await staged.edit("/b", "1", "ours");
    await base.edit("/a", "3", "theirs");
    await base.edit("/b", "1", "theirs");
    const { paths = [] } = await staged.rebase();
    expect(statuses({ paths })).toEqual({ "/a": "rebased", "/b": "conflict" });
    expect(paths.find(({ path }) => path === "/b")?.text).toContain("||||||| base\n1\n");
    expect((await staged.read("/a")).content).toBe("ours\n2\ntheirs\n");
    expect(statuses(await staged.rebase({ only: "/b", strategy: "ours" }))).toEqual({
      "/b": "rebased",
    });
    expect(statuses(await staged.commit())).toEqual({ "/a": "applied", "/b": "applied" });
  });
});

test("a path of any legal length can be staged, read and committed (P2)", async () => {
  const base = new MemoryBackend();
  const staged = new StagingBackend(base);
  const paths = [4_079, 4_096].map((length) => `/${"d".repeat(254)}`.repeat(17).slice(0, length));
  for (const path of paths) {
    expect((await staged.write(path, "1")).error).toBeUndefined();
    expect((await staged.read(path)).content).toBe("1");
  }
  expect((await staged.commit()).complete).toBe(true);
  expect(Object.keys(await contents(base))).toEqual(paths);
});

describe("rebase", () => {
  test("looks at what a base without versions holds", async () => {
    const base = await baseWith({ "/a": "1\n2\n3\n", "/kept": "1", "/gone": "1" });
    const staged = new StagingBackend(withoutVersions(base));
    for (const path of ["/a", "/kept"]) await staged.edit(path, "1", "ours");
    await staged.delete("/gone");
    expect((await staged.rebase()).paths).toEqual([]);
    await base.edit("/a", "3", "theirs");
    await base.edit("/gone", "1", "theirs");
    expect(statuses(await staged.rebase())).toEqual({ "/a": "rebased", "/gone": "conflict" });
    expect((await staged.read("/a")).content).toBe("ours\n2\ntheirs\n");
    expect(statuses(await staged.commit({ allowUnguarded: true }))).toMatchObject({
      "/a": "applied",
      "/gone": "conflict",
    });
  });

  test("puts removals on the base as it is now, or shows both", async () => {
    const base = await baseWith({
      "/a": "1",
      "/b": "1",
      "/dir/a": "1",
      "/dir/b": "1",
      "/dir/c": "1",
    });
    const staged = new StagingBackend(base);
    for (const path of ["/a", "/b", "/dir"]) await staged.delete(path);
    for (const path of ["/a", "/dir/a"]) await base.edit(path, "1", "theirs");
    await base.delete("/b");
    await base.delete("/dir/b");
    expect(statuses(await staged.rebase())).toEqual({
      "/a": "conflict",
      "/b": "rebased",
      "/dir/a": "conflict",
      "/dir/b": "rebased",
    });
    expect((await staged.changes()).changes?.map(({ path }) => path)).toEqual([
      "/a",
      "/dir/a",
      "/dir/c",
    ]);
    expect(statuses(await staged.rebase({ strategy: "ours" }))).toEqual({
      "/a": "rebased",
      "/dir/a": "rebased",
    });
    expect((await staged.commit()).complete).toBe(true);
    expect((await base.glob("**/*")).files).toEqual([]);
  });
});

/** A backend whose files have no versions. */
function withoutVersions(base: MemoryBackend): Filesystem {
  const bare = interceptBackend(base, async (_, proceed) => stripped(await proceed()) as never);
  return Object.defineProperty(bare, "features", { value: [] });
}

/** An answer without the versions in it. */
function stripped(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(stripped);
  if (typeof answer !== "object" || answer === null || ArrayBuffer.isView(answer)) return answer;
  const rest = Object.entries(answer).filter(([name]) => name !== "version");
  return Object.fromEntries(rest.map(([name, value]) => [name, stripped(value)]));
}

describe("refuses", () => {
  test.each([
    ["a pattern that is not valid", { only: "[" }],
    ["a strategy that is not known", { strategy: "theirs" }],
    ["an option that is not known", { onyl: "*.md" }],
    ["a flag that is none", { dryRun: "yes" }],
    ["a selection that is none", { only: [1] }],
    ["a listener that is none", { onProgress: 1 }],
    ["a signal that is none", { signal: {} }],
    ["no object", null],
  ])("%s", async (_, options) => {
    const staged = new StagingBackend(await baseWith({}));
    await staged.write("/a", "1");
    expect((await staged.commit(options as never)).code).toBe("invalid_argument");
    const wrong = options as never;
    expect((await staged.rebase(wrong)).code).toBe("invalid_argument");
    for (const call of ["changes", "diff", "discard"] as const) {
      expect((await staged[call](undefined, wrong)).code).toBe("invalid_argument");
      expect((await staged[call]({} as never)).code).toBe("invalid_argument");
    }
    expect((await staged.changes()).changes).toHaveLength(1);
  });

  test("an upper layer that cannot store on a condition, and the base itself", async () => {
    const base = new MemoryBackend();
    const bare = { ...callCounter(new MemoryBackend()).backend, features: [] };
    expect(() => new StagingBackend(base, { upper: bare })).toThrow(TypeError);
    expect(() => new StagingBackend(base, { upper: base })).toThrow(TypeError);
  });
});
