import { interceptBackend, MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { baseWith, contents, statuses } from "./trees.js";

const DOWN = { error: "The storage is down.", code: "unavailable" } as const;

/** An upper layer that is gone for good from the first call about a file of such a name. */
function dyingAt(upper: MemoryBackend, name: string): typeof upper {
  let dead = false;
  return interceptBackend(upper, async ({ args }, proceed, refuse) => {
    dead ||= JSON.stringify(args[0]).includes(name);
    return dead ? refuse(DOWN) : proceed();
  }) as typeof upper;
}

describe("after an abort", () => {
  /** Nine files, of which a commit made eight. */
  async function aborted(): Promise<{ base: MemoryBackend; staged: StagingBackend }> {
    const base = new MemoryBackend();
    const staged = new StagingBackend(base);
    for (let n = 0; n < 9; n++) await staged.write(`/f${n}`, "1");
    const stop = new AbortController();
    const report = await staged.commit({ signal: stop.signal, onProgress: () => stop.abort() });
    expect(statuses(report)).toMatchObject({ "/f7": "applied", "/f8": "skipped" });
    return { base, staged };
  }

  test("a commit does not make what was discarded (B13, B19)", async () => {
    const { base, staged } = await aborted();
    expect((await staged.discard()).paths).toEqual(["/f8"]);
    await staged.write("/other", "1");
    for (const dryRun of [true, false])
      expect(statuses(await staged.commit({ dryRun }))).toEqual({ "/other": "applied" });
    expect((await base.read("/f8")).code).toBe("not_found");
  });

  test("a commit of a part makes that part alone (B19)", async () => {
    const { base, staged } = await aborted();
    await staged.write("/other", "1");
    expect(statuses(await staged.commit({ only: "/other" }))).toEqual({ "/other": "applied" });
    expect((await base.read("/f8")).code).toBe("not_found");
    expect(statuses(await staged.commit())).toEqual({ "/f8": "applied" });
  });

  test("a commit merges what it would have merged (B15)", async () => {
    const base = await baseWith({ "/z": "1\n2\n3\n" });
    const staged = new StagingBackend(base);
    for (let n = 0; n < 8; n++) await staged.write(`/f${n}`, "1");
    await staged.edit("/z", "1", "ours");
    const stop = new AbortController();
    await staged.commit({ signal: stop.signal, onProgress: () => stop.abort() });
    await base.edit("/z", "3", "theirs");
    expect(statuses(await staged.commit({ strategy: "merge" }))).toEqual({ "/z": "applied" });
    expect((await base.read("/z")).content).toBe("ours\n2\ntheirs\n");
  });
});

describe("after a crash", () => {
  /** Two files, frozen and not applied. */
  async function frozen(): Promise<{ base: MemoryBackend; later: StagingBackend }> {
    const base = new MemoryBackend();
    const upper = new MemoryBackend();
    const dead = interceptBackend(base, async ({ method }, proceed, refuse) =>
      method === "uploadFiles" ? refuse(DOWN) : proceed(),
    );
    const first = new StagingBackend(dead, { upper: dyingAt(upper, "mark-"), leaseMs: 50 });
    await first.write("/a", "1");
    await first.write("/b", "1");
    expect((await first.commit()).code).toBe("unavailable");
    return { base, later: new StagingBackend(base, { upper, leaseMs: 50 }) };
  }

  test("a commit does not make what was discarded (B17)", async () => {
    const { base, later } = await frozen();
    await later.discard("/a");
    for (const dryRun of [true, false])
      expect(statuses(await later.commit({ dryRun }))).toEqual({ "/b": "applied" });
    expect(await contents(base)).toEqual({ "/b": "1" });
  });

  test("a commit of a part makes that part alone (B19)", async () => {
    const { base, later } = await frozen();
    for (const dryRun of [true, false])
      expect(statuses(await later.commit({ only: "/b", dryRun }))).toEqual({ "/b": "applied" });
    expect(await contents(base)).toEqual({ "/b": "1" });
    expect(statuses(await later.commit())).toEqual({ "/a": "applied" });
  });

  test("a commit makes what was staged since, on what the dead one made (B13, B17)", async () => {
    const base = await baseWith({ "/a": "1\n", "/b": "1\n" });
    const upper = new MemoryBackend();
    const first = new StagingBackend(base, { upper: dyingAt(upper, "mark-"), leaseMs: 50 });
    for (const path of ["/a", "/b"]) await first.edit(path, "1", "2");
    expect((await first.commit()).code).toBe("unavailable");
    expect(await contents(base)).toEqual({ "/a": "2\n", "/b": "2\n" });
    const later = new StagingBackend(base, { upper, leaseMs: 50 });
    await later.edit("/a", "2", "3");
    await later.delete("/b");
    expect((await later.commit()).complete).toBe(true);
    expect(await contents(base)).toEqual({ "/a": "3\n" });
  });
});

test("a freeze whose answer is lost does not make what was discarded since (B13)", async () => {
  const base = new MemoryBackend();
  const upper = new MemoryBackend();
  let lost = false;
  const lossy = interceptBackend(upper, async ({ method, args }, proceed, refuse) => {
    const answer = await proceed();
    if (lost || method !== "uploadFiles" || !JSON.stringify(args[0]).includes("open.json"))
      return answer;
    lost = true;
    return refuse(DOWN);
  });
  const staged = new StagingBackend(base, { upper: lossy, leaseMs: 50 });
  await staged.write("/a", "1");
  await staged.write("/b", "1");
  expect((await staged.commit({ only: "/a" })).code).toBe("unavailable");
  await staged.discard("/a");
  expect(statuses(await staged.commit({ only: "/b" }))).toEqual({ "/b": "applied" });
  expect(await contents(base)).toEqual({ "/b": "1" });
});
