import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { backendOn } from "./hub-fixture.js";
import { HubServer } from "@fs/test-servers/hub";

let hub: HubServer;
beforeAll(async () => {
  hub = await HubServer.start();
});
afterAll(async () => {
  await hub.stop();
});
beforeEach(() => hub.reset());

describe("when somebody else commits first", () => {
  test("an edit is made again on what they left", async () => {
    hub.commit("edit", { "a.md": "one\ntwo\n" });
    const backend = backendOn(hub, "edit");
    await backend.ls("/");
    hub.commit("edit", { "a.md": "ONE\ntwo\n", "b.md": "theirs" });
    expect(await backend.edit("/a.md", "two", "TWO")).toMatchObject({ occurrences: 1 });
    expect(hub.textsOf("edit")).toEqual({ "a.md": "ONE\nTWO\n", "b.md": "theirs" });
    expect(await backend.read("/b.md")).toMatchObject({ content: "theirs" });
  });

  test("an edit that no longer applies is a conflict, and changes nothing", async () => {
    hub.commit("gone", { "a.md": "one" });
    const backend = backendOn(hub, "gone");
    await backend.ls("/");
    hub.commit("gone", { "a.md": "other" });
    expect(await backend.edit("/a.md", "one", "two")).toMatchObject({ code: "conflict" });
    expect(hub.textsOf("gone")).toEqual({ "a.md": "other" });
  });

  test("a create that now exists is refused, and its neighbours are stored", async () => {
    hub.commit("create", { "a.md": "1" });
    const backend = backendOn(hub, "create");
    await backend.ls("/");
    hub.commit("create", { "new.md": "theirs" });
    const [taken, free] = await Promise.all([
      backend.write("/new.md", "mine"),
      backend.write("/free.md", "mine"),
    ]);
    expect(taken).toMatchObject({ code: "already_exists" });
    expect(free).toMatchObject({ path: "/free.md" });
    expect(hub.textsOf("create")).toMatchObject({ "new.md": "theirs", "free.md": "mine" });
  });

  test("a directory goes with what they put into it", async () => {
    hub.commit("dir", { "d/a.md": "1", "keep.md": "1" });
    const backend = backendOn(hub, "dir");
    await backend.ls("/");
    hub.commit("dir", { "d/theirs.md": "1" });
    expect(await backend.delete("/d")).toMatchObject({ path: "/d" });
    expect(hub.textsOf("dir")).toEqual({ "keep.md": "1" });
  });

  test("a version that they replaced is a conflict", async () => {
    hub.commit("version", { "a.md": "1" });
    const backend = backendOn(hub, "version");
    const { version = "" } = await backend.read("/a.md");
    hub.commit("version", { "a.md": "2" });
    const options = { ifVersion: version };
    expect(await backend.write("/a.md", "3", options)).toMatchObject({ code: "conflict" });
    expect(await backend.delete("/a.md", options)).toMatchObject({ code: "conflict" });
    expect(hub.textsOf("version")).toEqual({ "a.md": "2" });
  });

  test("nobody is refused because of a tree that is out of date", async () => {
    hub.commit("stale", { "a.md": "old", "b.md": "b" });
    const backend = backendOn(hub, "stale");
    await backend.ls("/");
    hub.commit("stale", { "a.md": "new", "b.md": null, "c.md": "c" });
    expect(await backend.edit("/a.md", "new", "newer")).toMatchObject({ occurrences: 1 });
    hub.commit("stale", { "d.md": "d" });
    expect(await backend.edit("/d.md", "d", "D")).toMatchObject({ occurrences: 1 });
    hub.commit("stale", { "d.md": null });
    expect(await backend.write("/d.md", "again")).toMatchObject({ path: "/d.md" });
    hub.commit("stale", { "e.md": "e" });
    expect(await backend.delete("/e.md")).toMatchObject({ path: "/e.md" });
  });

  test("a change gives up after a bounded number of conflicts", async () => {
    hub.commit("busy", { "a.md": "1" });
    const backend = backendOn(hub, "busy", { maxConflicts: 3 });
    hub.faults.add("commit", { status: 409 }, 20);
    expect(await backend.write("/b.md", "b")).toMatchObject({ code: "conflict" });
    expect(hub.count("commit")).toBe(4);
    hub.faults.clear();
    expect(await backend.write("/b.md", "b")).toMatchObject({ path: "/b.md" });
  });
});

describe("two backends racing", () => {
  test("lose no edit of one file", async () => {
    hub.commit("race", { "log.md": "start\n" });
    const clients = [backendOn(hub, "race"), backendOn(hub, "race")];
    const marks = Array.from({ length: 12 }, (_, index) => `mark ${index}\n`);
    const results = await Promise.all(
      marks.map(async (mark, index) =>
        clients[index % 2]?.edit("/log.md", "start\n", `start\n${mark}`),
      ),
    );
    expect(results.filter((result) => result?.error !== undefined)).toEqual([]);
    const lines = hub.textsOf("race")["log.md"]?.split("\n");
    for (const mark of marks) expect(lines).toContain(mark.trimEnd());
    expect(lines).toHaveLength(marks.length + 2);
  });

  test("have one winner per file, and keep every winner's content", async () => {
    hub.commit("winners", { "a.md": "1" });
    const clients = [0, 1, 2].map(() => backendOn(hub, "winners"));
    const results = await Promise.all(
      clients.flatMap((client, who) =>
        [0, 1, 2, 3].map(async (file) => {
          const { code } = await client.write(`/${file}.md`, `by ${who}`);
          return { file, who, code };
        }),
      ),
    );
    const winners = results.filter(({ code }) => code === undefined);
    expect(new Set(winners.map(({ file }) => file)).size).toBe(4);
    expect(winners).toHaveLength(4);
    expect(results.filter(({ code }) => code === "already_exists")).toHaveLength(8);
    for (const { file, who } of winners) {
      expect(hub.textsOf("winners")[`${file}.md`]).toBe(`by ${who}`);
    }
  });
});
