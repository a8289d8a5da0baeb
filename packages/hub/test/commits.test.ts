import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { ContextHubBackend, hubVolume } from "../src/index.js";
import { backendOn, clientOf } from "./hub-fixture.js";
import { startHubForFile } from "./hub-per-file.js";

const hub = await startHubForFile();

describe("one commit", () => {
  test("holds all that was issued together, and the cache then needs no pull", async () => {
    hub.commit("batch", { "a.md": "1", "b.md": "1", "dir/c.md": "1", "dir/d.md": "1" });
    const backend = backendOn(hub, "batch");
    const results = await Promise.all([
      ...Array.from({ length: 20 }, (_, index) => backend.write(`/new/${index}.md`, `${index}`)),
      backend.edit("/a.md", "1", "2"),
      backend.delete("/b.md"),
      backend.move("/dir/c.md", "/c.md"),
      backend.uploadFiles([["/up.md", Buffer.from("up")]]),
    ]);
    expect(results.flat().filter((result) => result.error)).toEqual([]);
    expect(await backend.read("/c.md")).toMatchObject({ content: "1" });
    expect(hub.commitsOf("batch")).toHaveLength(2);
    expect(hub.count("commit")).toBe(1);
    expect(hub.count("pull")).toBe(1);
    expect(hub.textsOf("batch")).toMatchObject({ "a.md": "2", "c.md": "1", "new/19.md": "19" });
    expect(hub.textsOf("batch")).not.toHaveProperty(["b.md"]);
  });

  test("costs the look at the repository that the client takes, and one request", async () => {
    hub.commit("cost", { "a.md": "1" });
    const backend = backendOn(hub, "cost");
    await backend.write("/b.md", "b");
    expect(hub.requests).toEqual(["pull", "settings", "repo", "commit"]);
    hub.reset();
    await Promise.all([backend.write("/c.md", "c"), backend.edit("/b.md", "b", "B")]);
    await backend.grep("B");
    expect(hub.requests).toEqual(["repo", "commit"]);
  });

  test("costs one pull more when it refuses somebody, to be sure", async () => {
    hub.commit("refusal", { "a.md": "1" });
    const backend = backendOn(hub, "refusal");
    await backend.ls("/");
    hub.reset();
    expect(await backend.write("/a.md", "x")).toMatchObject({ code: "already_exists" });
    expect(hub.requests).toEqual(["pull"]);
  });

  test("holds all edits of one file, in the order of the calls", async () => {
    hub.commit("edits", { "log.md": "0\n" });
    const backend = backendOn(hub, "edits");
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        backend.edit("/log.md", `${index}\n`, `${index}\n${index + 1}\n`),
      ),
    );
    expect(results.every(({ occurrences }) => occurrences === 1)).toBe(true);
    expect(hub.textsOf("edits")["log.md"]).toBe(
      Array.from({ length: 21 }, (_, index) => `${index}\n`).join(""),
    );
    expect(hub.count("commit")).toBe(1);
  });

  test("moves or removes a directory whole", async () => {
    hub.commit("trees", { "from/a.md": "a", "from/deep/b.md": "b", "keep.md": "k" });
    const backend = backendOn(hub, "trees");
    expect(await backend.move("/from", "/to")).toEqual({ path: "/to", files: 2 });
    expect(hub.textsOf("trees")).toEqual({ "to/a.md": "a", "to/deep/b.md": "b", "keep.md": "k" });
    expect(await backend.copy("/to", "/copy")).toEqual({ path: "/copy", files: 2 });
    expect(await backend.delete("/to")).toMatchObject({ path: "/to" });
    expect(hub.textsOf("trees")).toEqual({
      "copy/a.md": "a",
      "copy/deep/b.md": "b",
      "keep.md": "k",
    });
    expect(hub.count("commit")).toBe(3);
    expect(hub.count("pull")).toBe(1);
  });

  test.each(["move", "copy"] as const)(
    "takes no file to where no path can name it: %s",
    async (kind) => {
      const name = "s".repeat(250);
      const deep = `from/${Array.from({ length: 15 }, () => name).join("/")}/deep.md`;
      const files = { "from/a.md": "a", [deep]: "d", [`${name}/${name}/b.md`]: "b" };
      hub.commit(`deep-${kind}`, files);
      const backend = backendOn(hub, `deep-${kind}`);
      for (const [to, overwrite] of [
        [`/${name}/${"t".repeat(200)}`, false],
        [`/${name}/${name}`, true],
      ] as const)
        expect(await backend[kind]("/from", to, { overwrite })).toMatchObject({
          code: "invalid_path",
        });
      expect(hub.textsOf(`deep-${kind}`)).toEqual(files);
    },
  );

  test("is not made for a change that changes nothing", async () => {
    hub.commit("same", { "a.md": "text" });
    const backend = backendOn(hub, "same", { writeMode: "overwrite" });
    expect(await backend.write("/a.md", "text")).toMatchObject({ path: "/a.md" });
    expect(await backend.edit("/a.md", "text", "text")).toMatchObject({ occurrences: 1 });
    expect(hub.count("commit")).toBe(0);
  });

  test("waits for its parent: changes that arrive during a push form the next one", async () => {
    hub.commit("next", { "a.md": "1" });
    const backend = backendOn(hub, "next");
    const held = hub.faults.hold("commit");
    const first = backend.write("/b.md", "b");
    await held.arrived;
    const rest = Promise.all([backend.write("/c.md", "c"), backend.write("/d.md", "d")]);
    expect(await backend.read("/b.md")).toMatchObject({ code: "not_found" });
    held.release();
    await first;
    await rest;
    expect(hub.commitsOf("next").map(({ files }) => Object.keys(files).length)).toEqual([1, 2, 4]);
  });

  test("that the Hub does not accept is taken apart: only the culprit fails", async () => {
    hub.commit("culprit", { "a.md": "1" });
    hub.refusedName = "bad.md";
    const backend = backendOn(hub, "culprit");
    const results = await Promise.all(
      ["/x.md", "/bad.md", "/y.md", "/z.md"].map((path) => backend.write(path, "text")),
    );
    hub.refusedName = undefined;
    expect(results.map(({ code }) => code)).toEqual([
      undefined,
      "invalid_argument",
      undefined,
      undefined,
    ]);
    expect(Object.keys(hub.textsOf("culprit"))).toEqual(["a.md", "x.md", "y.md", "z.md"]);
  });
});

describe("a repository without commits", () => {
  test("is created by the first write, and gets a parent to check before it gets content", async () => {
    const backend = backendOn(hub, "fresh", { maxConflicts: 0 });
    expect(await backend.write("/a.md", "a")).toMatchObject({ path: "/a.md" });
    expect(hub.commitsOf("fresh").map(({ files }) => Object.keys(files))).toEqual([[], ["a.md"]]);
    expect(await backend.hasPriorCommits()).toBe(true);
  });

  test("has one winner when two clients create the same file at once", async () => {
    const clients = [backendOn(hub, "birth"), backendOn(hub, "birth")];
    const results = await Promise.all(
      clients.map((client, index) => client.write("/a.md", `of ${index}`)),
    );
    expect(results.filter(({ code }) => code === "already_exists")).toHaveLength(1);
    const winner = results.findIndex(({ code }) => code === undefined);
    expect(hub.textsOf("birth")).toEqual({ "a.md": `of ${winner}` });
  });

  test("gets its first content without a parent where the Hub makes no empty commits", async () => {
    hub.refusesEmptyCommits = true;
    const backend = backendOn(hub, "strict");
    expect(await backend.write("/a.md", "a")).toMatchObject({ path: "/a.md" });
    hub.refusesEmptyCommits = false;
    expect(await backend.edit("/a.md", "a", "b")).toMatchObject({ occurrences: 1 });
    expect(hub.textsOf("strict")).toEqual({ "a.md": "b" });
  });
});

describe("text only", () => {
  test("bytes that are not UTF-8 are refused per file, the rest is stored", async () => {
    hub.commit("text", { "a.md": "1" });
    const backend = backendOn(hub, "text");
    const uploaded = await backend.uploadFiles([
      ["/ok.md", Buffer.from("\u{feff}grüß\r\n")],
      ["/bad.bin", Uint8Array.of(0xff, 0xfe, 0)],
      ["/nul.txt", Uint8Array.of(97, 0, 98)],
    ]);
    expect(uploaded.map(({ error, code }) => [error, code])).toEqual([
      [null, undefined],
      ["invalid_path", "invalid_path"],
      [null, undefined],
    ]);
    expect(hub.textsOf("text")).toMatchObject({ "ok.md": "\u{feff}grüß\r\n", "nul.txt": "a\0b" });
    const [down] = await backendOn(hub, "text").downloadFiles(["/nul.txt"]);
    expect(down?.content).toEqual(Uint8Array.of(97, 0, 98));
  });
});

describe("cancellation", () => {
  test("takes back a change that no commit has begun with", async () => {
    hub.commit("abort", { "a.md": "1" });
    const backend = backendOn(hub, "abort", { coalesceMs: 40 });
    await backend.ls("/");
    const controller = new AbortController();
    const kept = backend.write("/kept.md", "k");
    const dropped = backend.write("/dropped.md", "d", { signal: controller.signal });
    controller.abort();
    expect(await dropped).toMatchObject({ code: "aborted" });
    expect(await kept).toMatchObject({ path: "/kept.md" });
    expect(Object.keys(hub.textsOf("abort"))).toEqual(["a.md", "kept.md"]);
  });

  test("leaves no listener on a signal that many calls share", async () => {
    hub.commit("shared-signal", { "a.md": "1" });
    const backend = backendOn(hub, "shared-signal");
    const controller = new AbortController();
    const writes = Array.from({ length: 30 }, (_, index) =>
      backend.write(`/${index}.md`, "x", { signal: controller.signal }),
    );
    await Promise.all(writes);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("while a commit is under way frees the caller at once, and says that the change may be stored", async () => {
    hub.commit("late", { "a.md": "1" });
    const backend = backendOn(hub, "late");
    await backend.ls("/");
    const held = hub.faults.hold("commit");
    const controller = new AbortController();
    const written = backend.write("/b.md", "b", { signal: controller.signal });
    const neighbour = backend.write("/c.md", "c");
    await held.arrived;
    controller.abort();
    expect(await written).toMatchObject({
      code: "aborted",
      error: expect.stringContaining("may be stored, or not") as string,
    });
    held.release();
    expect(await neighbour).toMatchObject({ path: "/c.md" });
    expect(Object.keys(hub.textsOf("late"))).toEqual(["a.md", "b.md", "c.md"]);
  });

  test("while a repository gets its first commit keeps the change out of the next one", async () => {
    hub.refusesEmptyCommits = true;
    const backend = backendOn(hub, "unborn");
    await backend.ls("/");
    const held = hub.faults.hold("commit");
    const controller = new AbortController();
    const dropped = backend.write("/dropped.md", "d", { signal: controller.signal });
    const kept = backend.write("/kept.md", "k");
    await held.arrived;
    controller.abort();
    expect(await dropped).toMatchObject({
      code: "aborted",
      error: expect.not.stringContaining("may be stored") as string,
    });
    held.release();
    expect(await kept).toMatchObject({ path: "/kept.md" });
    hub.refusesEmptyCommits = false;
    expect(hub.textsOf("unborn")).toEqual({ "kept.md": "k" });
  });

  test("while the tree is pulled frees a change that needs it", async () => {
    hub.commit("pulled", { "a.md": "1" });
    const held = hub.faults.hold("pull");
    const backend = backendOn(hub, "pulled");
    const controller = new AbortController();
    const calls = [
      backend.delete("/a.md", { signal: controller.signal }),
      backend.edit("/a.md", "1", "2", false, { signal: controller.signal }),
    ];
    await held.arrived;
    controller.abort();
    for (const call of calls) expect(await call).toMatchObject({ code: "aborted" });
    held.release();
    expect(await backend.write("/b.md", "b")).toMatchObject({ path: "/b.md" });
    expect(hub.textsOf("pulled")).toEqual({ "a.md": "1", "b.md": "b" });
  });

  test("by something that is no signal refuses that call, and holds up no other", async () => {
    hub.commit("junk", { "a.md": "1" });
    const volume = hubVolume("junk", { client: clientOf(hub), coalesceMs: 1 });
    const junk = { aborted: false } as never;
    await expect(volume.put("/x.md", Buffer.from("x"), { signal: junk })).rejects.toThrow(
      "must be an AbortSignal",
    );
    await expect(
      volume.put("/y.md", Buffer.from("y"), {
        signal: { aborted: false, addEventListener: () => 0 } as never,
      }),
    ).rejects.toThrow("must be an AbortSignal");
    expect(await volume.put("/b.md", Buffer.from("b"), {})).toHaveProperty("version");
    expect(hub.textsOf("junk")).toEqual({ "a.md": "1", "b.md": "b" });
  });
});

test("options that make no sense are a TypeError", () => {
  for (const options of [
    { callTimeoutMs: "1" },
    { requestTimeoutMs: -1 },
    { timeoutMs: 1 },
    { kind: "prompt" },
    { retry: { attempts: 0 } },
    { retry: { tries: 1 } },
    { writeMode: "replace" },
    null,
    "name",
  ])
    expect(() => new ContextHubBackend("name", options as never)).toThrow(TypeError);
});
