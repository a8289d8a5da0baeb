import { ContextHubBackend as DeepagentsHubBackend, type BackendProtocolV2 } from "deepagents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { backendOn, clientOf } from "./hub-fixture.js";
import { HubServer } from "@fs/test-servers/hub";

let hub: HubServer;
beforeAll(async () => {
  hub = await HubServer.start();
});
afterAll(async () => {
  await hub.stop();
});

describe("the ContextHubBackend of deepagents, on the same repository", () => {
  test("reads what ours wrote, and ours reads what it wrote", async () => {
    const ours = backendOn(hub, "both", { maxAgeMs: 0 });
    await ours.write("/memories/ours.md", "from here\n");
    const theirs = new DeepagentsHubBackend("both", { client: clientOf(hub) });
    expect(await theirs.read("/memories/ours.md")).toMatchObject({ content: "from here\n" });
    expect(await theirs.write("/memories/theirs.md", "from there\n")).not.toHaveProperty("error");
    expect(await ours.read("/memories/theirs.md")).toMatchObject({ content: "from there\n" });
    expect(await ours.edit("/memories/theirs.md", "there", "everywhere")).toMatchObject({
      occurrences: 1,
    });
  });

  test("loses nothing of ours to its edits, nor the other way round", async () => {
    hub.commit("mixed", { "log.md": "start\n" });
    const ours = backendOn(hub, "mixed");
    const theirs = new DeepagentsHubBackend("mixed", { client: clientOf(hub) });
    await theirs.ls("/");
    await ours.edit("/log.md", "start\n", "start\nours\n");
    expect(await theirs.edit("/log.md", "start\n", "start\ntheirs\n")).not.toHaveProperty("error");
    expect(await ours.edit("/log.md", "theirs\n", "theirs\nours again\n")).toMatchObject({
      occurrences: 1,
    });
    expect(hub.textsOf("mixed")["log.md"]).toBe("start\ntheirs\nours again\nours\n");
  });

  test("can be replaced by ours wherever a backend is taken", async () => {
    hub.commit("typed", { "a.md": "x" });
    const taken: BackendProtocolV2 = backendOn(hub, "typed");
    expect(await taken.read("/a.md")).toMatchObject({ content: "x", mimeType: "text/markdown" });
  });

  test("answers the same to getLinkedEntries and hasPriorCommits", async () => {
    hub.commit("links", { "skills/x": { type: "skill", repo_handle: "x" }, "a.md": "a" });
    const theirs = new DeepagentsHubBackend("links", { client: clientOf(hub) });
    const ours = backendOn(hub, "links");
    expect(await ours.getLinkedEntries()).toEqual(await theirs.getLinkedEntries());
    expect(await ours.hasPriorCommits()).toBe(await theirs.hasPriorCommits());
  });
});
