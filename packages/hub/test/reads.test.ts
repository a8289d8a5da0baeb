import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ContextHubBackend } from "../src/index.js";
import { backendOn, clientOf } from "./hub-fixture.js";
import { HubServer } from "@fs/test-servers/hub";

let hub: HubServer;
beforeAll(async () => {
  hub = await HubServer.start();
});
afterAll(async () => {
  await hub.stop();
});
beforeEach(() => hub.reset());

describe("the tree", () => {
  test("is pulled once for concurrent first calls, and never again for a read", async () => {
    hub.commit("reads", { "AGENTS.md": "one\ntwo\n", "notes/a.md": "alpha\n" });
    const backend = backendOn(hub, "reads");
    await Promise.all([
      backend.read("/AGENTS.md"),
      backend.ls("/"),
      backend.grep("alpha"),
      backend.glob("**/*.md"),
    ]);
    expect(await backend.read("/notes/a.md")).toMatchObject({ content: "alpha\n" });
    await backend.downloadFiles(["/AGENTS.md", "/notes/a.md"]);
    expect(hub.requests).toEqual(["pull"]);
  });

  test("of a missing repository is empty, and reading creates nothing", async () => {
    const backend = backendOn(hub, "nobody");
    expect(await backend.ls("/")).toEqual({ files: [] });
    expect(await backend.read("/a.md")).toMatchObject({ code: "not_found" });
    expect(await backend.hasPriorCommits()).toBe(false);
    expect(hub.count("create")).toBe(0);
  });

  test("that could not be pulled is an error, never empty, and is pulled by the next call", async () => {
    hub.commit("down", { "a.md": "here" });
    const backend = backendOn(hub, "down");
    hub.faults.add("pull", { status: 500 }, 4);
    expect(await backend.ls("/")).toMatchObject({ code: "unavailable" });
    expect(await backend.read("/a.md")).toMatchObject({ content: "here" });
  });

  test("shows what others committed after refresh, or once it is older than maxAgeMs", async () => {
    hub.commit("shared", { "a.md": "1" });
    const cached = backendOn(hub, "shared");
    const eager = backendOn(hub, "shared", { maxAgeMs: 0 });
    expect(await cached.read("/a.md")).toMatchObject({ content: "1" });
    expect(await eager.read("/a.md")).toMatchObject({ content: "1" });
    hub.commit("shared", { "a.md": "2" });
    expect(await cached.read("/a.md")).toMatchObject({ content: "1" });
    expect(await eager.read("/a.md")).toMatchObject({ content: "2" });
    expect(await cached.refresh()).toEqual({ commit: hub.commitsOf("shared").at(-1)?.hash });
    expect(await cached.read("/a.md")).toMatchObject({ content: "2" });
  });

  test("keeps the times of a file that others left alone", async () => {
    hub.commit("times", { "a.md": "1", "b.md": "1" });
    const backend = backendOn(hub, "times");
    const before = await backend.readRaw("/a.md");
    hub.commit("times", { "b.md": "2" });
    await backend.refresh();
    expect(await backend.readRaw("/a.md")).toEqual(before);
  });

  test("leaves out names that are no paths, and keeps them in the repository", async () => {
    hub.commit("odd", { "../up": "x", "a//b": "x", "/abs": "x", "ok.md": "x", __proto__x: "x" });
    const backend = backendOn(hub, "odd");
    const { files } = await backend.glob("**");
    expect(files?.map(({ path }) => path)).toEqual(["/__proto__x", "/ok.md"]);
    await backend.delete("/ok.md");
    expect(Object.keys(hub.textsOf("odd"))).toEqual(["../up", "a//b", "/abs", "__proto__x"]);
  });
});

describe("linked entries", () => {
  const link = { type: "skill", repo_handle: "research", commit_hash: "0123456789abcdef" } as const;

  test("are listed, read as JSON, and changed by nothing", async () => {
    hub.commit("linked", { "skills/research": link, "skills/own.md": "mine" });
    const backend = backendOn(hub, "linked");
    const { files } = await backend.ls("/skills");
    expect(files?.map(({ path }) => path)).toEqual(["/skills/own.md", "/skills/research"]);
    const read = await backend.read("/skills/research");
    expect(JSON.parse(String(read.content))).toEqual(link);
    const denied = { code: "permission_denied" };
    const writer = backendOn(hub, "linked", { writeMode: "overwrite" });
    expect(await writer.write("/skills/research", "x")).toMatchObject(denied);
    expect(await backend.write("/skills/research/SKILL.md", "x")).toMatchObject(denied);
    expect(await backend.edit("/skills/research", "research", "x")).toMatchObject(denied);
    expect(await backend.delete("/skills/research")).toMatchObject(denied);
    expect(await backend.delete("/skills")).toMatchObject(denied);
    expect(await backend.move("/skills", "/elsewhere")).toMatchObject(denied);
    expect(
      await backend.move("/skills/own.md", "/skills/research", { overwrite: true }),
    ).toMatchObject(denied);
    expect(hub.commitsOf("linked")).toHaveLength(1);
    expect(await backend.getLinkedEntries()).toEqual({ "skills/research": "research" });
  });
});

describe("commits", () => {
  test("are listed newest first, and each can be read", async () => {
    const backend = backendOn(hub, "past");
    await backend.write("/a.md", "old");
    await backend.edit("/a.md", "old", "new");
    const { commits } = await backend.history();
    expect(commits?.map(({ hash }) => hash)).toEqual(
      hub
        .commitsOf("past")
        .map(({ hash }) => hash)
        .toReversed(),
    );
    expect((await backend.history({ limit: 1 })).commits).toEqual(commits?.slice(0, 1));
    const old = backend.at(commits?.[1]?.hash ?? "");
    expect(await old.read("/a.md")).toMatchObject({ content: "old" });
    expect(await backend.read("/a.md")).toMatchObject({ content: "new" });
    expect(await old.write("/b.md", "x")).toMatchObject({ code: "permission_denied" });
    expect(await old.delete("/a.md")).toMatchObject({ code: "permission_denied" });
  });

  test("that are not there are not_found, not empty", async () => {
    hub.commit("present", { "a.md": "x" });
    const gone = new ContextHubBackend("present:ffffffffffff", { client: clientOf(hub) });
    expect(await gone.ls("/")).toMatchObject({ code: "not_found" });
    expect(await gone.refresh()).toMatchObject({ code: "not_found" });
  });

  test("of a missing repository are none", async () => {
    expect(await backendOn(hub, "never").history()).toEqual({ commits: [] });
  });
});

test("the version 'latest' is the repository itself", async () => {
  hub.commit("newest", { "a.md": "x" });
  const backend = backendOn(hub, "newest:latest");
  expect(await backend.edit("/a.md", "x", "y")).toMatchObject({ occurrences: 1 });
  expect(hub.textsOf("newest")).toEqual({ "a.md": "y" });
});

test("no version of a repository is 'latest': what 'at' gives cannot be written to", () => {
  expect(() => backendOn(hub, "newest").at("latest")).toThrow(TypeError);
});

describe("the options of refresh and history", () => {
  test("may be absent", async () => {
    const backend = backendOn(hub, "options");
    for (const none of [undefined, null, {}, { signal: undefined as never }]) {
      expect(await backend.refresh(none)).toEqual({ commit: null });
      expect(await backend.history(none)).toEqual({ commits: [] });
    }
  });

  test.each([
    [{ limt: 1 }, "Its options are limit, signal."],
    [{ limit: -1 }, "'limit' of 'history' must be"],
    [{ limit: 1.5 }, "'limit' of 'history' must be"],
    [{ limit: null }, "'limit' of 'history' must be"],
    [{ signal: {} }, "'signal' of 'history' must be"],
    [1, "must be an object"],
  ])("are refused where they are none: %j", async (options, sentence) => {
    const backend = backendOn(hub, "options");
    expect(await backend.history(options as never)).toMatchObject({
      code: "invalid_argument",
      error: expect.stringContaining(sentence) as string,
    });
    expect(await backend.refresh({ limit: 1 } as never)).toMatchObject({
      code: "invalid_argument",
    });
    expect(hub.requests).toEqual([]);
  });

  test("are a failure where they cannot be read", async () => {
    const options = {
      get signal(): never {
        throw new Error("no signal");
      },
    };
    expect(await backendOn(hub, "options").refresh(options)).toMatchObject({
      code: "unavailable",
    });
  });
});

test("a malformed identifier is a mistake in the program", () => {
  for (const identifier of ["", "a/b/c", "/a", "a/", "a:b:c", "a b", ":x", "../a", "a/..", "a?b"]) {
    expect(() => new ContextHubBackend(identifier, { client: clientOf(hub) })).toThrow(TypeError);
  }
});
