import { applyChanges, changeSet, intentLog } from "@fs/changes";
import { interceptBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { setUp, statuses, textOf } from "./prepared-set.js";

describe("with a log", () => {
  test("an attempt that broke off is resumed, and what may have happened is not repeated", async () => {
    const { base, kept, blobs, set } = await setUp(
      { "/a": "1", "/b": "1" },
      { "/a": "2", "/b": "2" },
    );
    const breaking = interceptBackend(kept, async ({ method, args }, proceed) => {
      if (method === "uploadFiles" && JSON.stringify(args[0]).includes("mark-"))
        throw new Error("killed");
      return proceed();
    });
    const log = intentLog(breaking, { leaseMs: 50 });
    await expect(applyChanges(base, set, { blobs, log, concurrency: 1 })).rejects.toThrow("killed");
    expect(await textOf(base, "/a")).toBe("2");
    // Somebody puts the old content back: it is theirs now.
    await base.edit("/a", "2", "1");
    const resumed = await applyChanges(base, set, { blobs, log: intentLog(kept, { leaseMs: 50 }) });
    expect(statuses(resumed.paths)).toEqual({ "/a": "conflict", "/b": "applied" });
    expect(await textOf(base, "/a")).toBe("1");
    expect(await intentLog(kept).open()).toBeUndefined();
    expect(await applyChanges(base, set, { blobs, log: intentLog(kept) })).toEqual(resumed);
  });

  test("the same call again does what failed, and another part what was not chosen", async () => {
    const { base, kept, blobs, set } = await setUp({}, { "/a": "1", "/b": "1", "/c": "1" });
    let down = true;
    const flaky = interceptBackend(base, async ({ method, args }, proceed, refuse) =>
      down && method === "uploadFiles" && JSON.stringify(args[0]).includes("/b")
        ? refuse({ error: "The storage is down.", code: "unavailable" })
        : proceed(),
    );
    const apply = async (only?: string[]): Promise<object> => {
      const log = intentLog(kept);
      const report = await applyChanges(flaky, set, { blobs, log, ...(only && { only }) });
      return { ...statuses(report.paths), complete: report.complete };
    };
    expect(await apply(["/a", "/b"])).toEqual({
      "/a": "applied",
      "/b": "failed",
      complete: false,
    });
    expect(await apply(["/a"])).toEqual({ "/a": "applied", complete: true });
    expect(await apply(["/c"])).toEqual({ "/c": "applied", complete: true });
    down = false;
    expect(await apply()).toEqual({
      "/a": "already",
      "/b": "applied",
      "/c": "already",
      complete: true,
    });
    expect(await textOf(base, "/b")).toBe("1");
  });

  test("a part that a crash left is resumed, and what was not chosen then is begun", async () => {
    const { base, kept, blobs, set } = await setUp({}, { "/a": "1", "/b": "1" });
    await intentLog(kept).freeze({ ...set, changes: set.changes.slice(0, 1) });
    const log = intentLog(kept);
    const other = await applyChanges(base, set, { blobs, log, only: "/b" });
    expect(statuses(other.paths)).toEqual({ "/b": "applied" });
    const { complete, paths } = await applyChanges(base, set, { blobs, log });
    expect([complete, statuses(paths)]).toEqual([true, { "/a": "applied", "/b": "already" }]);
    expect(await log.open()).toBeUndefined();
  });

  test("one log applies one change set at a time", async () => {
    const { base, kept, blobs, set } = await setUp({}, { "/a": "1", "/b": "1" });
    const log = intentLog(kept, { leaseMs: 60 });
    let second: Promise<unknown> | undefined;
    const slow = interceptBackend(base, async ({ method }, proceed) => {
      if (method === "uploadFiles")
        second ??= applyChanges(base, set, { blobs, log }).catch((error: unknown) => error);
      await second;
      await new Promise((resolve) => setTimeout(resolve, 60));
      return proceed();
    });
    const report = await applyChanges(slow, set, { blobs, log, concurrency: 1 });
    expect(statuses(report.paths)).toEqual({ "/a": "applied", "/b": "applied" });
    expect(await second).toMatchObject({ code: "conflict" });
    expect((await applyChanges(base, set, { blobs, log })).complete).toBe(true);
  });

  test("another change set waits until the open one is finished", async () => {
    const { base, kept, blobs, set } = await setUp({}, { "/a": "1" });
    const log = intentLog(kept);
    await log.freeze(set);
    const other = changeSet(set.changes);
    await expect(applyChanges(base, other, { blobs, log })).rejects.toMatchObject({
      code: "conflict",
    });
  });
});
