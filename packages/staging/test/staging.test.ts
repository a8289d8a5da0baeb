import {
  CompositeBackend,
  interceptBackend,
  MemoryBackend,
  readOnly,
  runAsCaller,
  withPermissions,
} from "@fs/protocol";
import { StagingBackend, withStaging } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { callCounter } from "./call-counter.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function baseWith(files: Record<string, string>): Promise<MemoryBackend> {
  const base = new MemoryBackend();
  await base.uploadFiles(Object.entries(files).map(([path, text]) => [path, bytes(text)]));
  return base;
}

async function contents(backend: MemoryBackend | StagingBackend): Promise<Record<string, string>> {
  const { files = [] } = await backend.glob("**/*");
  const read = await backend.downloadFiles(files.map(({ path }) => path));
  return Object.fromEntries(
    read.map(({ path, content }) => [path, new TextDecoder().decode(content ?? undefined)]),
  );
}

const statuses = (result: { paths?: ReadonlyArray<{ path: string; status: string }> }): object =>
  Object.fromEntries((result.paths ?? []).map(({ path, status }) => [path, status]));

describe("before a commit", () => {
  test("reads see what was staged, and the base is as it was (B1)", async () => {
    const before = { "/a": "a\n", "/dir/b": "b\n", "/dir/c": "c\n" };
    const base = await baseWith(before);
    const staged = new StagingBackend(base);
    await staged.edit("/a", "a", "A");
    await staged.write("/new", "new\n");
    await staged.delete("/dir/b");
    await staged.move("/dir/c", "/moved");
    expect(await contents(staged)).toEqual({ "/a": "A\n", "/new": "new\n", "/moved": "c\n" });
    expect((await staged.ls("/dir")).code).toBe("not_found");
    expect(await contents(base)).toEqual(before);
  });

  test("a change of the base shows where nothing is staged, and not where something is (B4)", async () => {
    const base = await baseWith({ "/free": "1", "/held": "1", "/gone": "1" });
    const staged = new StagingBackend(base, { writeMode: "overwrite" });
    await staged.write("/held", "mine");
    await staged.delete("/gone");
    for (const path of ["/free", "/held", "/gone"]) await base.edit(path, "1", "2");
    expect(await contents(staged)).toEqual({ "/free": "2", "/held": "mine" });
  });

  test("versions are those of the merged tree, and a stale one is a conflict (B4)", async () => {
    const base = await baseWith({ "/a": "1" });
    const staged = new StagingBackend(base);
    const { version: ofBase } = await staged.read("/a");
    expect(ofBase).toBe(`b:${(await base.stat("/a")).info?.version}`);
    const edited = await staged.edit("/a", "1", "2", false, { ifVersion: ofBase ?? "" });
    expect(edited.version).toMatch(/^s:/);
    expect((await staged.edit("/a", "2", "3", false, { ifVersion: ofBase ?? "" })).code).toBe(
      "conflict",
    );
    expect((await staged.stat("/a")).info?.version).toBe(edited.version);
  });

  test("content that is the base's own again leaves nothing staged (B3)", async () => {
    const staged = new StagingBackend(await baseWith({ "/a": "1", "/b": "1" }));
    await staged.edit("/a", "1", "2");
    await staged.edit("/a", "2", "1");
    await staged.uploadFiles([["/b", bytes("1")]]);
    expect((await staged.changes()).changes).toEqual([]);
  });

  test("but not where the base has changed since, so that no write is lost (B3)", async () => {
    const base = await baseWith({ "/a": "1" });
    const staged = new StagingBackend(base);
    await staged.edit("/a", "1", "2");
    await base.edit("/a", "1", "theirs");
    await staged.edit("/a", "2", "1");
    expect((await staged.read("/a")).content).toBe("1");
  });

  test("a removed directory is one entry, and files that appear in it later are not part of it (B5)", async () => {
    const upper = new MemoryBackend();
    const base = await baseWith({ "/dir/a": "1", "/dir/deep/b": "1", "/other": "1" });
    const staged = new StagingBackend(base, { upper });
    await staged.delete("/dir");
    expect((await upper.glob("/trees/**")).files).toHaveLength(1);
    expect(await contents(staged)).toEqual({ "/other": "1" });
    await base.write("/dir/later", "theirs");
    expect(await contents(staged)).toEqual({ "/other": "1", "/dir/later": "theirs" });
    const { complete, appeared } = await staged.commit();
    expect([complete, appeared]).toEqual([true, ["/dir/later"]]);
    expect(await contents(base)).toEqual({ "/other": "1", "/dir/later": "theirs" });
  });

  test("a file can be where a directory was, and the other way round, also once committed (B16)", async () => {
    const base = await baseWith({ "/dir/a": "1", "/file": "1" });
    const staged = new StagingBackend(base);
    await staged.delete("/dir");
    await staged.write("/dir", "now a file");
    await staged.delete("/file");
    await staged.write("/file/below", "now a directory");
    const after = { "/dir": "now a file", "/file/below": "now a directory" };
    expect(await contents(staged)).toEqual(after);
    expect(statuses(await staged.commit())).toEqual({
      "/dir": "applied",
      "/dir/a": "applied",
      "/file": "applied",
      "/file/below": "applied",
    });
    expect(await contents(base)).toEqual(after);
    expect((await staged.changes()).changes).toEqual([]);
  });

  test("an outage of the base or of the upper layer is never a missing file (B10)", async () => {
    const upper = interceptBackend(new MemoryBackend(), async ({ method }, proceed, refuse) =>
      method === "downloadFiles" || method === "glob" ? refuse(DOWN) : proceed(),
    );
    const over = new StagingBackend(await baseWith({ "/a": "1" }), { upper });
    expect((await over.read("/a")).code).toBe("unavailable");
    expect((await over.ls("/")).code).toBe("unavailable");
    const base = new MemoryBackend();
    const failing = {
      ...callCounter(base).backend,
      readRaw: async () => DOWN,
      stat: async () => DOWN,
    };
    const staged = new StagingBackend(failing);
    expect((await staged.readRaw("/a")).code).toBe("unavailable");
    expect((await staged.write("/a", "x")).code).toBe("unavailable");
  });

  test("the patch is one that git takes, and says who staged what", async () => {
    const base = await baseWith({ "/a.txt": "one\ntwo\n", "/gone.txt": "x\n" });
    const staged = new StagingBackend(base);
    await runAsCaller({ actor: "agent" }, () => staged.edit("/a.txt", "two", "TWO"));
    await staged.delete("/gone.txt");
    expect((await staged.diff()).patch).toBe(
      [
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n",
        "diff --git a/gone.txt b/gone.txt\ndeleted file mode 100644\n",
        "--- a/gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      ].join(""),
    );
    expect((await staged.diff("nothing.*")).patch).toBe("");
  });

  test("a move is named as one", async () => {
    const staged = new StagingBackend(await baseWith({ "/dir/a": "content of a", "/b": "b" }));
    await staged.move("/dir", "/new");
    const { changes = [] } = await staged.changes();
    expect(changes.map(({ path, from }) => [path, from])).toEqual([
      ["/dir/a", undefined],
      ["/new/a", "/dir/a"],
    ]);
  });
});

const DOWN = { error: "The storage is down.", code: "unavailable" } as const;

describe("a commit", () => {
  test("shows what somebody else changed as a conflict, and applies the rest (B12, B14, B15)", async () => {
    const base = await baseWith({ "/mine": "1\n", "/both": "1\n" });
    const staged = new StagingBackend(base);
    await staged.edit("/mine", "1", "2");
    await staged.edit("/both", "1", "ours");
    await base.edit("/both", "1", "theirs");
    const report = await staged.commit();
    expect(report.complete).toBe(false);
    expect(statuses(report)).toEqual({ "/both": "conflict", "/mine": "applied" });
    const [both] = report.paths ?? [];
    expect(both?.conflict?.theirs?.hash).not.toBe(both?.conflict?.base?.hash);
    expect(await contents(base)).toEqual({ "/both": "theirs\n", "/mine": "2\n" });
    expect((await staged.changes()).changes?.map(({ path }) => path)).toEqual(["/both"]);
  });

  test("merges what both changed in different places, when asked to (B15)", async () => {
    const base = await baseWith({ "/a": "1\n2\n3\n", "/b": "1\n2\n3\n" });
    const staged = new StagingBackend(base);
    for (const path of ["/a", "/b"]) await staged.edit(path, "1", "ours");
    await base.edit("/a", "3", "theirs");
    await base.edit("/b", "1", "theirs");
    expect(statuses(await staged.commit({ strategy: "merge" }))).toEqual({
      "/a": "applied",
      "/b": "conflict",
    });
    expect(await contents(base)).toEqual({ "/a": "ours\n2\ntheirs\n", "/b": "theirs\n2\n3\n" });
    expect((await staged.changes()).changes?.map(({ path }) => path)).toEqual(["/b"]);
  });

  test("of a part leaves the rest staged (B19), and a dry run changes nothing (B20)", async () => {
    const base = await baseWith({ "/docs/a.md": "1", "/src/b.ts": "1" });
    const staged = new StagingBackend(base);
    await staged.edit("/docs/a.md", "1", "2");
    await staged.edit("/src/b.ts", "1", "2");
    const counted = callCounter(base);
    const dry = await new StagingBackend(counted.backend, { upper: new MemoryBackend() }).commit({
      dryRun: true,
    });
    expect(dry.complete).toBe(true);
    expect(statuses(await staged.commit({ dryRun: true }))).toEqual({
      "/docs/a.md": "applied",
      "/src/b.ts": "applied",
    });
    expect(await contents(base)).toEqual({ "/docs/a.md": "1", "/src/b.ts": "1" });
    expect(statuses(await staged.commit({ only: "*.md" }))).toEqual({ "/docs/a.md": "applied" });
    expect(await contents(base)).toEqual({ "/docs/a.md": "2", "/src/b.ts": "1" });
    expect((await staged.diff()).patch).toContain("/src/b.ts");
  });

  test("never removes what somebody else changed (B5, B14)", async () => {
    const base = await baseWith({ "/dir/a": "1", "/dir/b": "1" });
    const staged = new StagingBackend(base);
    await staged.delete("/dir");
    await base.edit("/dir/a", "1", "theirs");
    expect(statuses(await staged.commit())).toEqual({ "/dir/a": "conflict", "/dir/b": "applied" });
    expect(await contents(base)).toEqual({ "/dir/a": "theirs" });
  });

  test("keeps the source of a move whose destination is taken (B16)", async () => {
    const base = await baseWith({ "/from": "content" });
    const staged = new StagingBackend(base);
    await staged.move("/from", "/to");
    await base.write("/to", "theirs");
    expect(statuses(await staged.commit())).toEqual({ "/from": "skipped", "/to": "conflict" });
    expect(await contents(base)).toEqual({ "/from": "content", "/to": "theirs" });
  });

  test("of a move whose source was changed keeps what somebody else wrote (B8)", async () => {
    const base = await baseWith({ "/from": "content" });
    const staged = new StagingBackend(base);
    await staged.move("/from", "/to");
    await base.edit("/from", "content", "theirs");
    // What was moved is what was there then, also before the commit.
    expect(await contents(staged)).toEqual({ "/to": "content" });
    expect(statuses(await staged.commit())).toEqual({ "/from": "conflict", "/to": "applied" });
    expect(await contents(base)).toEqual({ "/from": "theirs", "/to": "content" });
  });

  test("is judged by the base's own wrappers, path by path (B11)", async () => {
    const base = await baseWith({ "/open/a": "1", "/closed/b": "1" });
    const guarded = withPermissions(base, [
      { operations: ["write"], paths: ["/closed/**"], mode: "deny" },
    ]);
    const staged = new StagingBackend(guarded);
    await staged.edit("/open/a", "1", "2");
    await staged.edit("/closed/b", "1", "2");
    expect(statuses(await staged.commit())).toEqual({
      "/closed/b": "refused",
      "/open/a": "applied",
    });
    const nothing = new StagingBackend(readOnly(base), { upper: new MemoryBackend() });
    await nothing.edit("/open/a", "2", "3");
    expect(statuses(await nothing.commit())).toEqual({ "/open/a": "refused" });
  });

  test("what was changed after the commit began stays staged on what was applied (B13)", async () => {
    const base = await baseWith({ "/a": "1\n" });
    const upper = new MemoryBackend();
    const staged = new StagingBackend(base, { upper });
    await staged.edit("/a", "1", "2");
    const late = new StagingBackend(
      slowUpload(base, () => staged.edit("/a", "2", "3")),
      { upper },
    );
    expect(statuses(await late.commit())).toEqual({ "/a": "applied" });
    expect((await base.read("/a")).content).toBe("2\n");
    expect((await staged.read("/a")).content).toBe("3\n");
    expect((await staged.diff()).patch).toContain("-2\n+3\n");
    expect(statuses(await staged.commit())).toEqual({ "/a": "applied" });
    expect((await base.read("/a")).content).toBe("3\n");
  });

  test("a composite gets each file where it belongs", async () => {
    const [main, docs] = [new MemoryBackend(), new MemoryBackend()];
    const staged = withStaging(new CompositeBackend(main, { "/docs/": docs }));
    await staged.write("/a", "main");
    await staged.write("/docs/b", "docs");
    expect((await staged.commit()).complete).toBe(true);
    expect([await contents(main), await contents(docs)]).toEqual([
      { "/a": "main" },
      { "/b": "docs" },
    ]);
    expect((await staged.delete("/docs")).code).toBe("permission_denied");
  });

  test("by two processes is made once, and the other is told (B18)", async () => {
    const base = await baseWith({});
    const upper = new MemoryBackend();
    let other: Promise<{ code?: string | undefined }> | undefined;
    const second = new StagingBackend(base, { upper, leaseMs: 200 });
    const first = new StagingBackend(
      slowUpload(base, async () => {
        other ??= second.commit();
        await other;
      }),
      { upper, leaseMs: 200 },
    );
    await first.write("/a", "1");
    expect((await first.commit()).complete).toBe(true);
    expect((await other)?.code).toBe("conflict");
  });
});

/** A backend in which something happens right before the first file is stored. */
function slowUpload(base: MemoryBackend, before: () => Promise<unknown>): MemoryBackend {
  let done = false;
  return new Proxy(base, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "uploadFiles") return typeof value === "function" ? value.bind(target) : value;
      return async (...args: Parameters<MemoryBackend["uploadFiles"]>) => {
        if (!done) {
          done = true;
          await before();
        }
        return target.uploadFiles(...args);
      };
    },
  });
}

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

describe("refuses", () => {
  test.each([
    ["a pattern that is not valid", { only: "[" }],
    ["a strategy that is not known", { strategy: "theirs" }],
    ["an option that is not known", { onyl: "*.md" }],
    ["a flag that is none", { dryRun: "yes" }],
  ])("%s", async (_, options) => {
    const staged = new StagingBackend(await baseWith({}));
    await staged.write("/a", "1");
    expect((await staged.commit(options as never)).code).toBe("invalid_argument");
    expect((await staged.changes()).changes).toHaveLength(1);
  });

  test("an upper layer that cannot store on a condition, and the base itself", async () => {
    const base = new MemoryBackend();
    const bare = { ...callCounter(new MemoryBackend()).backend, features: [] };
    expect(() => new StagingBackend(base, { upper: bare })).toThrow(TypeError);
    expect(() => new StagingBackend(base, { upper: base })).toThrow(TypeError);
  });
});
