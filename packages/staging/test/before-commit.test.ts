import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompositeBackend, interceptBackend, MemoryBackend, runAsCaller } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { callCounter } from "./call-counter.js";
import { baseWith, bytes, contents, statuses } from "./trees.js";

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
    for (const dryRun of [true, false])
      expect(statuses(await staged.commit({ dryRun }))).toEqual({ "/a": "conflict" });
    expect((await staged.read("/a")).content).toBe("1");
    expect(await contents(base)).toEqual({ "/a": "theirs" });
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

  test("an incomplete listing of the base never empties a directory (B10)", async () => {
    const base = await baseWith({ "/dir/a": "1", "/dir/b": "1" });
    const cut = [{ truncated: true }, { warnings: [{ path: "/dir/", error: "A mount is down." }] }];
    for (const more of cut) {
      const partial = interceptBackend(base, async ({ method }, proceed) => {
        const answer = await proceed();
        return method === "glob" ? ({ files: [], ...more } as never) : answer;
      });
      const upper = new MemoryBackend();
      await new StagingBackend(base, { upper }).delete("/dir/a");
      const staged = new StagingBackend(partial, { upper });
      expect((await staged.ls("/")).code).toBe("unavailable");
      expect((await staged.stat("/dir")).code).toBe("unavailable");
    }
  });

  test("a directory with a mount in it stays when its last file goes (B2)", async () => {
    const main = await baseWith({ "/dir/a": "1" });
    const base = new CompositeBackend(main, { "/dir/mount/": new MemoryBackend() });
    const staged = new StagingBackend(base);
    await staged.delete("/dir/a");
    expect((await staged.ls("/")).files?.map(({ path }) => path)).toEqual(["/dir/"]);
    expect((await staged.stat("/dir")).info?.is_dir).toBe(true);
    expect((await staged.ls("/dir")).files?.map(({ path }) => path)).toEqual(["/dir/mount/"]);
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

  test("the patch is one that git takes, also where somebody else has changed a file", async () => {
    const base = await baseWith({ "/a.png": "1", "/b.txt": "1\n" });
    const staged = new StagingBackend(base);
    await staged.delete("/a.png");
    await staged.edit("/b.txt", "1", "2");
    await base.uploadFiles([["/a.png", bytes("2")]]);
    const { patch = "" } = await staged.diff();
    expect(patch).toContain("# /a.png was changed by somebody else since");
    const root = mkdtempSync(join(tmpdir(), "staging-diff-"));
    try {
      writeFileSync(join(root, "b.txt"), "1\n");
      execFileSync("git", ["apply", "-"], { cwd: root, input: patch, stdio: "pipe" });
      expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("2\n");
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
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
