import { type Filesystem, interceptBackend, MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { baseWith, contents, statuses } from "./trees.js";

/** A base in which something happens once, right before or after the first file is stored. */
function during(
  base: MemoryBackend,
  task: () => Promise<unknown>,
  when: "before" | "after" = "before",
): Filesystem {
  let done = false;
  return interceptBackend(base, async ({ method }, proceed) => {
    if (method !== "uploadFiles" || done) return proceed();
    done = true;
    if (when === "before") await task();
    const answer = await proceed();
    if (when === "after") await task();
    return answer;
  });
}

describe("while a commit runs", () => {
  test("a file that it merges is edited: the next commit does not lose the other side (B13)", async () => {
    const base = await baseWith({ "/a": "1\n2\n3\n" });
    const upper = new MemoryBackend();
    const staged = new StagingBackend(base, { upper });
    await staged.edit("/a", "1", "ours");
    await base.edit("/a", "3", "theirs");
    const merging = new StagingBackend(
      interceptBackend(base, async ({ method }, proceed) => {
        if (method === "uploadFiles") await staged.edit("/a", "ours", "OURS");
        return proceed();
      }),
      { upper },
    );
    expect(statuses(await merging.commit({ strategy: "merge" }))).toEqual({ "/a": "applied" });
    expect((await base.read("/a")).content).toBe("ours\n2\ntheirs\n");
    expect(statuses(await staged.commit())).toEqual({ "/a": "conflict" });
    expect(statuses(await staged.commit({ strategy: "merge" }))).toEqual({ "/a": "applied" });
    expect((await base.read("/a")).content).toBe("OURS\n2\ntheirs\n");
  });

  test("a file that was put over a removed directory never disappears, also on a newer base", async () => {
    const base = await baseWith({ "/dir/a": "1" });
    const upper = new MemoryBackend();
    const staged = new StagingBackend(base, { upper });
    await staged.delete("/dir");
    await staged.write("/dir/a", "2");
    await base.edit("/dir/a", "1", "theirs");
    await staged.rebase({ strategy: "ours" });
    const seen: unknown[] = [];
    const watched = interceptBackend(upper, async ({ method, args }, proceed) => {
      const answer = await proceed();
      if (method === "delete" && !String(args[0]).startsWith("/commits"))
        seen.push((await staged.read("/dir/a")).content);
      return answer;
    });
    await new StagingBackend(base, { upper: watched }).commit();
    expect(seen).toEqual(["2", "2"]);
    expect(await contents(staged)).toEqual({ "/dir/a": "2" });
  });
});

describe("after a commit that died between its last change and its end", () => {
  /** Commits, and dies when it keeps its report. */
  async function dyingCommit(base: MemoryBackend, upper: MemoryBackend): Promise<void> {
    const dying = interceptBackend(upper, async ({ method, args }, proceed) => {
      if (method === "uploadFiles" && JSON.stringify(args[0]).includes("report.json"))
        throw new Error("killed");
      return proceed();
    });
    const died = await new StagingBackend(base, { upper: dying, leaseMs: 50 }).commit();
    expect(died.error).toBeDefined();
  }

  test("an entry stays on the base that it was made on (B3)", async () => {
    const base = await baseWith({ "/a": "1\n" });
    const upper = new MemoryBackend();
    const staged = new StagingBackend(base, { upper, leaseMs: 50 });
    await staged.edit("/a", "1", "2");
    await dyingCommit(base, upper);
    await base.edit("/a", "2", "theirs");
    await staged.edit("/a", "theirs", "theirs and ours");
    expect(statuses(await staged.commit())).toEqual({ "/a": "applied" });
    expect(await contents(base)).toEqual({ "/a": "theirs and ours\n" });
  });

  test("the same content staged again is not taken for the one that was committed (B13)", async () => {
    const base = await baseWith({ "/a": "1\n" });
    const upper = new MemoryBackend();
    const staged = new StagingBackend(base, { upper, leaseMs: 50 });
    await staged.edit("/a", "1", "2");
    await dyingCommit(base, upper);
    await base.edit("/a", "2", "theirs");
    await staged.edit("/a", "theirs", "2");
    expect(statuses(await staged.commit())).toEqual({ "/a": "applied" });
    expect(await contents(base)).toEqual({ "/a": "2\n" });
  });

  test("a directory removed again stays removed (B13)", async () => {
    const base = await baseWith({ "/dir/a": "1\n", "/dir/b": "1\n" });
    const upper = new MemoryBackend();
    const staged = new StagingBackend(base, { upper, leaseMs: 50 });
    await staged.edit("/dir/a", "1", "2");
    await dyingCommit(base, upper);
    await staged.delete("/dir");
    expect((await staged.commit()).complete).toBe(true);
    expect(await contents(base)).toEqual({});
  });
});
