import {
  CompositeBackend,
  MemoryBackend,
  readOnly,
  withPermissions,
  withQuota,
} from "@fs/protocol";
import { StagingBackend, withStaging } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { callCounter } from "./call-counter.js";
import { baseWith, contents, statuses } from "./trees.js";

describe("a commit", () => {
  test("shows what others changed as a conflict, and applies the rest (B12, B14, B15)", async () => {
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

  test("never removes what others changed (B5, B14)", async () => {
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
    for (const dryRun of [true, false])
      expect(statuses(await staged.commit({ dryRun }))).toEqual({
        "/from": "skipped",
        "/to": "conflict",
      });
    expect(await contents(base)).toEqual({ "/from": "content", "/to": "theirs" });
  });

  test("is what it is, whatever its listener throws", async () => {
    const base = new MemoryBackend();
    const staged = new StagingBackend(base);
    await staged.write("/a", "1");
    const warned = new Promise((resolve) => process.once("warning", resolve));
    const onProgress = (): never => {
      throw new Error("of the listener");
    };
    expect(statuses(await staged.commit({ onProgress }))).toEqual({ "/a": "applied" });
    expect(await warned).toMatchObject({ message: "of the listener" });
    expect((await staged.changes()).changes).toEqual([]);
  });

  test("moves a file into a directory that takes the place of a file (B16)", async () => {
    const base = await baseWith({ "/x": "content", "/y": "file" });
    const staged = new StagingBackend(base);
    await staged.delete("/y");
    await staged.move("/x", "/y/x");
    expect((await staged.commit()).complete).toBe(true);
    expect(await contents(base)).toEqual({ "/y/x": "content" });
  });

  test("of a move whose source was changed keeps what others wrote (B8)", async () => {
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
    const agents = withQuota(
      withPermissions(staged, [{ operations: ["write"], paths: ["/open/**"], mode: "deny" }]),
      { bytes: 10 },
    );
    expect((await agents.edit("/open/a", "2", "3")).code).toBe("permission_denied");
    expect((await agents.write("/closed/c", "more than ten bytes")).code).toBe("quota_exceeded");
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

  test("by two processes is made once, and the other answers conflict (B18)", async () => {
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
