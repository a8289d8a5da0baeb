import { describe, expect, test } from "vitest";
import type { ContextHubBackend, ContextHubBackendOptions } from "../src/index.js";
import { backendOn, clientOf } from "./hub-fixture.js";
import { startHubForFile } from "./hub-per-file.js";

const hub = await startHubForFile();

const unconfirmed = {
  code: "unavailable",
  error: expect.stringContaining("may be stored, or not") as string,
};

describe("a commit whose answer was lost, after which others have committed", () => {
  /** Makes a change whose first answer is lost, and commits past it before it is asked for again. */
  async function overtaken<T>(
    name: string,
    drop: "before" | "after",
    call: (backend: ContextHubBackend) => Promise<T>,
    theirs: Record<string, string | null>,
  ): Promise<T> {
    const backend = backendOn(hub, name);
    hub.faults.add("commit", { drop });
    const again = hub.faults.hold("commit");
    const answer = call(backend);
    await again.arrived;
    hub.commit(name, theirs);
    again.release();
    return answer;
  }

  test("is not made again where they took it back", async () => {
    hub.commit("back", { "a.md": "x" });
    const edit = (backend: ContextHubBackend) => backend.edit("/a.md", "x", "xx");
    expect(await overtaken("back", "after", edit, { "a.md": "x" })).toMatchObject({
      occurrences: 1,
    });
    const write = (backend: ContextHubBackend) => backend.write("/b.md", "b");
    expect(await overtaken("back", "after", write, { "b.md": null })).toMatchObject({
      path: "/b.md",
    });
    expect(hub.textsOf("back")).toEqual({ "a.md": "x" });
  });

  test("is not taken for theirs that has the same edit among others", async () => {
    hub.commit("count", { "a.md": "count 1" });
    const edit = (backend: ContextHubBackend) => backend.edit("/a.md", "count 1", "count 2");
    const theirs = { "a.md": "count 2", "b.md": "b" };
    expect(await overtaken("count", "before", edit, theirs)).toMatchObject({ code: "conflict" });
    expect(hub.textsOf("count")).toEqual(theirs);
  });

  test("is known where a link to another repository has moved on, which no commit shows", async () => {
    hub.commit("link", { "a.md": "x" });
    const client = clientOf(hub);
    const pull = client.pullAgent.bind(client);
    let moved = 10_000_000;
    client.pullAgent = async (...query) => {
      const pulled = await pull(...query);
      const skill = { type: "skill", repo_handle: "research", commit_hash: `${moved++}` } as const;
      return { ...pulled, files: { ...pulled.files, skill } };
    };
    hub.faults.add("commit", { drop: "after" });
    const backend = backendOn(hub, "link", { client });
    expect(await backend.edit("/a.md", "x", "xx")).toMatchObject({ occurrences: 1 });
    expect(hub.textsOf("link")).toEqual({ "a.md": "xx" });
  });

  test("is looked up in the history only where the files do not show it", async () => {
    hub.commit("asked", { "a.md": "x" });
    const backend = backendOn(hub, "asked");
    hub.faults.add("commit", { drop: "after" });
    await backend.edit("/a.md", "x", "xx");
    expect(hub.count("history")).toBe(0);
  });
});

describe("a request that may still be carried out", () => {
  /** A backend that waits less long for an answer than the request takes. */
  function hasty(name: string, options: ContextHubBackendOptions): ContextHubBackend {
    hub.commit(name, { "a.md": "x" });
    const client = clientOf(hub, { timeoutMs: 60_000 });
    return backendOn(hub, name, { client, requestTimeoutMs: 150, ...options });
  }

  test("is said to be one, whatever the tries after it were answered", async () => {
    const backend = hasty("later", {});
    await backend.ls("/");
    const held = hub.faults.hold("commit");
    hub.faults.add("commit", { status: 429 }, 3);
    expect(await backend.write("/b.md", "b")).toMatchObject(unconfirmed);
    expect(await backend.read("/b.md")).toMatchObject({ code: "not_found" });
    held.release();
    await expect.poll(() => hub.textsOf("later")).toHaveProperty(["b.md"]);
  });

  test.each([408, 502, 504])(
    "is one that %i was answered to, by what stands before the Hub",
    async (status) => {
      const name = `before-${status}`;
      hub.commit(name, { "a.md": "x" });
      const backend = backendOn(hub, name);
      hub.faults.add("commit", { status }, 4);
      expect(await backend.write("/b.md", "b")).toMatchObject(unconfirmed);
    },
  );

  test.each([429, 500, 503])("is none that the Hub answered %i to", async (status) => {
    const name = `answered-${status}`;
    hub.commit(name, { "a.md": "x" });
    const backend = backendOn(hub, name);
    hub.faults.add("commit", { status }, 4);
    const { code, error } = await backend.write("/b.md", "b");
    expect([code, error]).toEqual(["unavailable", expect.not.stringContaining("may be stored")]);
  });

  test("is none once another commit was made on its parent", async () => {
    const backend = hasty("passed", { retry: { attempts: 1 } });
    await backend.ls("/");
    const held = hub.faults.hold("commit");
    const written = backend.write("/b.md", "b");
    await held.arrived;
    hub.commit("passed", { "c.md": "c" });
    expect(await written).toMatchObject({ code: "timeout" });
    held.release();
    expect(await backend.read("/c.md")).toMatchObject({ content: "c" });
    expect(hub.textsOf("passed")).toEqual({ "a.md": "x", "c.md": "c" });
  });

  test("is looked for by the read that its error asks for", async () => {
    const backend = hasty("read", { retry: { attempts: 1 } });
    await backend.ls("/");
    const held = hub.faults.hold("commit");
    expect(await backend.edit("/a.md", "x", "xx")).toMatchObject(unconfirmed);
    held.release();
    await expect.poll(() => hub.textsOf("read")).toEqual({ "a.md": "xx" });
    expect(await backend.read("/a.md")).toMatchObject({ content: "xx" });
  });

  test("is not repeated without a parent, over what its late arrival would write", async () => {
    hub.refusesEmptyCommits = true;
    const client = clientOf(hub, { timeoutMs: 60_000 });
    const backend = backendOn(hub, "unborn", { client, requestTimeoutMs: 150 });
    await backend.ls("/");
    hub.faults.add("commit", { status: 422 });
    const held = hub.faults.hold("commit");
    expect(await backend.write("/a.md", "a")).toMatchObject(unconfirmed);
    held.release();
    await expect.poll(() => hub.textsOf("unborn")).toEqual({ "a.md": "a" });
    expect(await backend.edit("/a.md", "a", "b")).toMatchObject({ occurrences: 1 });
    hub.refusesEmptyCommits = false;
    expect(hub.textsOf("unborn")).toEqual({ "a.md": "b" });
    expect(hub.commitsOf("unborn")).toHaveLength(2);
  });
});
