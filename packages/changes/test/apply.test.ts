import { applyChanges, blobStore, changeSet, hashOf, intentLog, sideOf } from "@fs/changes";
import { interceptBackend, MemoryBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { bytes, setUp, statuses, textOf } from "./prepared-set.js";

describe("a change set", () => {
  test("is applied, and applied again changes nothing", async () => {
    const { base, blobs, set } = await setUp(
      { "/a": "1", "/b": "1" },
      { "/a": "2", "/b": null, "/c": "3" },
    );
    expect(statuses((await applyChanges(base, set, { blobs })).paths)).toEqual({
      "/a": "applied",
      "/b": "applied",
      "/c": "applied",
    });
    const calls: string[] = [];
    const counted = interceptBackend(base, async ({ method }, proceed) => {
      const answer = await proceed();
      if (method === "uploadFiles") calls.push(method);
      return answer;
    });
    const again = await applyChanges(counted, set, { blobs });
    expect(statuses(again.paths)).toEqual({ "/a": "already", "/b": "already", "/c": "already" });
    expect(await textOf(base, "/a")).toBe("2");
  });

  test("is refused by a backend without versions, unless that is allowed", async () => {
    const { base, blobs, set } = await setUp({ "/a": "1" }, { "/a": "2" });
    const bare = Object.defineProperty(
      interceptBackend(base, async (_, proceed) => proceed()),
      "features",
      { value: [] },
    );
    expect((await applyChanges(bare, set, { blobs })).paths).toMatchObject([
      { status: "refused", code: "unsupported" },
    ]);
    expect((await applyChanges(bare, set, { blobs, allowUnguarded: true })).paths).toMatchObject([
      { status: "applied", unguarded: true },
    ]);
    await base.uploadFiles([["/a", bytes("foreign")]]);
    const again = await applyChanges(bare, set, { blobs, allowUnguarded: true });
    expect(again.paths).toMatchObject([{ status: "conflict" }]);
  });

  test("whose outcome is not known is looked at, and never undone", async () => {
    const { base, blobs, set } = await setUp({}, { "/a": "1", "/b": "1" });
    const lossy = interceptBackend(base, async ({ method, args }, proceed, refuse) => {
      if (method !== "uploadFiles") return proceed();
      if (JSON.stringify(args[0]).includes("/a")) await proceed();
      return refuse({ error: "The connection is lost.", code: "unavailable" });
    });
    expect((await applyChanges(lossy, set, { blobs })).paths).toMatchObject([
      { path: "/a", status: "applied" },
      { path: "/b", status: "failed", code: "unavailable" },
    ]);
  });

  test("that leads to the content it was made on is done only where that content is", async () => {
    const { base, blobs, set } = await setUp({ "/a": "1", "/b": "1" }, { "/a": "1", "/b": "1" });
    await base.edit("/b", "1", "theirs");
    for (const dryRun of [true, false])
      expect(statuses((await applyChanges(base, set, { blobs, dryRun })).paths)).toEqual({
        "/a": "already",
        "/b": "conflict",
      });
    expect(await textOf(base, "/b")).toBe("theirs");
  });

  test("stops at an abort, and says what was not tried", async () => {
    const { base, blobs, set } = await setUp({}, { "/a": "1", "/b": "1", "/c": "1" });
    const stop = new AbortController();
    const report = await applyChanges(base, set, {
      blobs,
      concurrency: 1,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    expect(statuses(report.paths)).toEqual({ "/a": "applied", "/b": "skipped", "/c": "skipped" });
  });

  test("moves a file to where a removed file has to make room first, and is done when repeated", async () => {
    const { base, blobs, set } = await setUp(
      { "/x": "content", "/y": "file" },
      { "/x": null, "/y": null, "/y/z": "content" },
    );
    const moved = changeSet(
      set.changes.map((change) => (change.path === "/y/z" ? { ...change, from: "/x" } : change)),
    );
    for (const status of ["applied", "already"])
      expect(statuses((await applyChanges(base, moved, { blobs })).paths)).toEqual({
        "/x": status,
        "/y": status,
        "/y/z": status,
      });
    expect(await textOf(base, "/y/z")).toBe("content");
  });

  test("keeps the source of such a move where no room could be made, and takes turns where both need room", async () => {
    const { base, blobs, set } = await setUp(
      { "/x": "content", "/y": "file" },
      { "/x": null, "/y": null, "/y/z": "content" },
    );
    await base.edit("/y", "file", "theirs");
    expect(statuses((await applyChanges(base, set, { blobs })).paths)).toEqual({
      "/x": "skipped",
      "/y": "conflict",
      "/y/z": "refused",
    });
    expect(await textOf(base, "/x")).toBe("content");
    const turned = await setUp(
      { "/x": "1", "/y": "2" },
      { "/x": null, "/y": null, "/y/a": "1", "/x/b": "2" },
    );
    const report = await applyChanges(turned.base, turned.set, { blobs: turned.blobs });
    expect(report.complete).toBe(true);
  });

  test("whose content is not kept any more was not tried", async () => {
    const { base, set } = await setUp({}, { "/a": "1" });
    const blobs = blobStore(new MemoryBackend());
    const [report] = (await applyChanges(base, set, { blobs })).paths;
    expect(report).toEqual({
      path: "/a",
      status: "failed",
      code: "unavailable",
      detail: "The content of this change is not kept any more.",
    });
  });

  test("of which one file cannot be read back goes on with the others", async () => {
    const { base, kept, blobs, set } = await setUp(
      { "/from": "1" },
      { "/from": null, "/to": "1", "/x": "2" },
    );
    const moved = changeSet(
      set.changes.map((change) => (change.path === "/to" ? { ...change, from: "/from" } : change)),
    );
    let down = true;
    const flaky = interceptBackend(base, async ({ method }, proceed, refuse) =>
      down && method === "downloadFiles"
        ? refuse({ error: "The storage is down.", code: "unavailable" })
        : proceed(),
    );
    const log = intentLog(kept);
    const report = await applyChanges(flaky, moved, { blobs, log });
    expect(statuses(report.paths)).toEqual({
      "/from": "skipped",
      "/to": "failed",
      "/x": "applied",
    });
    expect(report.paths.find(({ path }) => path === "/to")?.code).toBe("unavailable");
    down = false;
    expect((await applyChanges(flaky, moved, { blobs, log })).complete).toBe(true);
    expect(await textOf(base, "/from")).toBeUndefined();
  });

  test("reads back what it stored, when asked to", async () => {
    const { base, blobs, set } = await setUp({}, { "/a": "1" });
    const damaging = interceptBackend(base, async ({ method }, proceed) => {
      const answer = await proceed();
      if (method === "uploadFiles") await base.edit("/a", "1", "X");
      return answer;
    });
    expect((await applyChanges(damaging, set, { blobs, verify: true })).paths).toMatchObject([
      { status: "failed" },
    ]);
  });
});

describe("contents", () => {
  test("are kept once, and checked when they are read", async () => {
    const kept = new MemoryBackend();
    const blobs = blobStore(kept);
    const [hash] = await blobs.put([bytes("one"), bytes("one")]);
    expect(hash).toBe(hashOf(bytes("one")));
    expect((await blobs.list()).map((blob) => blob.hash)).toEqual([hash]);
    const path = `/blobs/${hash?.slice(7, 9)}/${hash?.slice(7)}`;
    await kept.uploadFiles([[path, bytes("two")]]);
    await expect(blobs.get(hash ?? "")).rejects.toMatchObject({ code: "unavailable" });
    // A damaged one is repaired by whoever has the content.
    await blobs.put([bytes("one")]);
    expect(await blobs.get(hash ?? "")).toEqual(bytes("one"));
  });

  test("have no other name than a hash", async () => {
    const blobs = blobStore(new MemoryBackend());
    await expect(blobs.get("../../etc/passwd")).rejects.toThrow(TypeError);
  });
});

test("a dry run foresees a change where the storage says a version only with the content", async () => {
  const base = new MemoryBackend();
  const { version } = await base.write("/a", "1");
  const backend = interceptBackend(base, async ({ method }, proceed) => {
    const answer = await proceed();
    if (method !== "stat" || !("info" in Object(answer))) return answer;
    const { info } = answer as { info: object };
    return { info: { ...info, version: undefined } } as never;
  });
  const blobs = blobStore(new MemoryBackend());
  const [one, two] = ["1", "2"].map((text) => new TextEncoder().encode(text)) as [Bytes, Bytes];
  await blobs.put([two]);
  const set = changeSet([{ path: "/a", before: sideOf(one, version), after: sideOf(two) }]);
  const report = await applyChanges(backend, set, { blobs, dryRun: true });
  expect(report.paths.map(({ status }) => status)).toEqual(["applied"]);
  await base.edit("/a", "1", "theirs");
  const later = await applyChanges(backend, set, { blobs, dryRun: true });
  expect(later.paths.map(({ status }) => status)).toEqual(["conflict"]);
  expect((await base.read("/a")).content).toBe("theirs");
});

type Bytes = Uint8Array;
