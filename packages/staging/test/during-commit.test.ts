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

/** A change by another client of the same upper layer, right before or after the base is changed. */
const MOMENTS = ["before", "after"] as const;

describe.each(MOMENTS)("while a commit runs, %s its first change of the base,", (when) => {
  /** Two clients: one changes, and one commits while that happens. */
  function clients(base: MemoryBackend, task: (staged: StagingBackend) => Promise<unknown>) {
    const upper = new MemoryBackend();
    const staged = new StagingBackend(base, { upper });
    const busy = during(base, () => task(staged), when);
    return { staged, committing: new StagingBackend(busy, { upper }) };
  }

  /** Commits, then what is seen then, and what the base holds once that is committed too. */
  async function committed(base: MemoryBackend, both: ReturnType<typeof clients>) {
    const { staged, committing } = both;
    expect((await committing.commit()).error).toBeUndefined();
    const seen = await contents(staged);
    expect((await staged.commit()).complete).toBe(true);
    expect((await staged.changes()).changes).toEqual([]);
    return { seen, base: await contents(base) };
  }

  test("a new file that is removed stays removed (B13)", async () => {
    const base = new MemoryBackend();
    const both = clients(base, (staged) => staged.delete("/new"));
    await both.staged.write("/new", "1");
    expect(await committed(base, both)).toEqual({ seen: {}, base: {} });
  });

  test("a new file that is removed and written again is the new one (B13)", async () => {
    const base = new MemoryBackend();
    const both = clients(base, async (staged) => {
      await staged.delete("/new");
      await staged.write("/new", "2");
    });
    await both.staged.write("/new", "1");
    const after = { "/new": "2" };
    expect(await committed(base, both)).toEqual({ seen: after, base: after });
  });

  test("a new file that is moved is at its new place alone (B13)", async () => {
    const base = new MemoryBackend();
    const both = clients(base, (staged) => staged.move("/new", "/moved"));
    await both.staged.write("/new", "1");
    const after = { "/moved": "1" };
    expect(await committed(base, both)).toEqual({ seen: after, base: after });
  });

  test("a file that is written back is as it was (B13)", async () => {
    const base = await baseWith({ "/a": "1" });
    const both = clients(base, (staged) => staged.edit("/a", "2", "1"));
    await both.staged.edit("/a", "1", "2");
    const after = { "/a": "1" };
    expect(await committed(base, both)).toEqual({ seen: after, base: after });
  });

  test("a directory that is removed stays removed, new and changed files alike (B13)", async () => {
    const base = await baseWith({ "/dir/a": "1", "/dir/b": "1", "/kept": "1" });
    const both = clients(base, (staged) => staged.delete("/dir"));
    await both.staged.edit("/dir/a", "1", "2");
    await both.staged.write("/dir/new", "1");
    const after = { "/kept": "1" };
    expect(await committed(base, both)).toEqual({ seen: after, base: after });
  });

  test("a file over a removed directory that is removed again stays removed (B13)", async () => {
    const base = await baseWith({ "/dir/a": "1" });
    const both = clients(base, (staged) => staged.delete("/dir/a"));
    await both.staged.delete("/dir");
    await both.staged.write("/dir/a", "2");
    expect(await committed(base, both)).toEqual({ seen: {}, base: {} });
  });

  test("a file that was discarded and changed again is what it was changed to (B13)", async () => {
    const base = await baseWith({ "/a": "1" });
    const both = clients(base, async (staged) => {
      await staged.discard();
      await staged.edit("/a", /./.exec(String((await staged.read("/a")).content))?.[0] ?? "", "3");
    });
    await both.staged.edit("/a", "1", "2");
    await both.committing.commit();
    expect(await contents(both.staged)).toEqual({ "/a": "3" });
  });
});

test("a new file that is removed while it is committed hides nothing of others (B15)", async () => {
  const base = new MemoryBackend();
  const upper = new MemoryBackend();
  const staged = new StagingBackend(base, { upper });
  await staged.write("/new", "1");
  const busy = during(base, async () => {
    await staged.delete("/new");
    await base.write("/new", "theirs");
  });
  expect(statuses(await new StagingBackend(busy, { upper }).commit())).toEqual({
    "/new": "conflict",
  });
  expect(await contents(staged)).toEqual({ "/new": "theirs" });
  expect((await staged.changes()).changes).toEqual([]);
});

test("what is removed right before a commit freezes it is not committed (B13)", async () => {
  const base = new MemoryBackend();
  const upper = new MemoryBackend();
  const staged = new StagingBackend(base, { upper });
  await staged.write("/new", "1");
  await staged.write("/kept", "1");
  let done = false;
  const late = interceptBackend(upper, async ({ method, args }, proceed) => {
    if (!done && method === "uploadFiles" && JSON.stringify(args[0]).includes("open.json")) {
      done = true;
      await staged.delete("/new");
    }
    return proceed();
  });
  const report = await new StagingBackend(base, { upper: late }).commit();
  expect(statuses(report)).toEqual({ "/kept": "applied" });
  expect(await contents(base)).toEqual({ "/kept": "1" });
});

test("what is removed after a crash is removed, whatever the crash left in the base (B13, B17)", async () => {
  for (const stored of [true, false]) {
    const base = new MemoryBackend();
    const upper = new MemoryBackend();
    let dead = false;
    const refused = { error: "The process has died.", code: "unavailable" } as const;
    const dying = interceptBackend(base, async ({ method }, proceed, refuse) => {
      if (method !== "uploadFiles") return proceed();
      dead = true;
      return stored ? proceed() : refuse(refused);
    });
    const dyingUpper = interceptBackend(upper, async (_, proceed, refuse) =>
      dead ? refuse(refused) : proceed(),
    );
    const first = new StagingBackend(dying, { upper: dyingUpper, leaseMs: 50 });
    await first.write("/new", "1");
    await first.commit();
    expect(Object.keys(await contents(base))).toEqual(stored ? ["/new"] : []);
    const later = new StagingBackend(base, { upper, leaseMs: 50 });
    await later.delete("/new");
    expect(await contents(later)).toEqual({});
    expect((await later.commit()).complete).toBe(true);
    expect(await contents(base)).toEqual({});
    expect((await later.changes()).changes).toEqual([]);
  }
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

  test.each([
    ["an entry stays on the base that it was made on (B3)", "theirs and ours"],
    ["the same content staged again is not taken for the one that was committed (B13)", "2"],
  ])("%s", async (_, again) => {
    const base = await baseWith({ "/a": "1\n" });
    const upper = new MemoryBackend();
    const staged = new StagingBackend(base, { upper, leaseMs: 50 });
    await staged.edit("/a", "1", "2");
    await dyingCommit(base, upper);
    await base.edit("/a", "2", "theirs");
    await staged.edit("/a", "theirs", again);
    expect(statuses(await staged.commit())).toEqual({ "/a": "applied" });
    expect(await contents(base)).toEqual({ "/a": `${again}\n` });
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
