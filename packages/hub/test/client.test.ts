import type { Client } from "langsmith";
import { Client as OldestClient } from "langsmith-oldest";
import { describe, expect, test } from "vitest";
import { withoutRetries } from "../src/direct-client.js";
import { backendOn, clientOf } from "./hub-fixture.js";
import { startHubForFile } from "./hub-per-file.js";

const hub = await startHubForFile();

describe("a view of the client without retries", () => {
  test("makes each request once, where the client makes it again by itself", async () => {
    hub.commit("once", { "a.md": "x" });
    const { client, once } = withoutRetries(clientOf(hub));
    expect(once).toBe(true);
    hub.faults.add("pull", { status: 500 });
    await expect(client.pullAgent("once")).rejects.toMatchObject({ status: 500 });
    expect(hub.count("pull")).toBe(1);
    hub.faults.add("pull", { status: 500 });
    await expect(clientOf(hub).pullAgent("once")).resolves.toHaveProperty("files");
    expect(hub.count("pull")).toBe(3);
  });

  test("does not exist of a client that is built another way; then a conflict may be with oneself", async () => {
    hub.commit("foreign", { "a.md": "x" });
    const client = clientOf(hub);
    Object.defineProperty(client, "caller", { value: undefined });
    expect(withoutRetries(client)).toEqual({ client, once: false });

    // What such a client does after a lost answer: it pushes again, and hears of a conflict.
    const real = clientOf(hub);
    client.pullAgent = async (identifier) => real.pullAgent(identifier);
    client.pushAgent = async (identifier, options) => real.pushAgent(identifier, options);
    hub.faults.add("commit", { drop: "after" });
    const backend = backendOn(hub, "foreign", { client });
    expect(await backend.edit("/a.md", "x", "xx")).toMatchObject({ occurrences: 1 });
    expect(hub.textsOf("foreign")).toEqual({ "a.md": "xx" });
    expect(hub.count("commit")).toBe(2);
  });
});

test("a skill repository is read and written as one", async () => {
  const skill = backendOn(hub, "some-skill", { kind: "skill" });
  expect(await skill.write("/SKILL.md", "# Skill\n")).toMatchObject({ path: "/SKILL.md" });
  expect(hub.kindOf("some-skill")).toBe("skill");
  expect(await backendOn(hub, "some-skill", { kind: "skill" }).read("/SKILL.md")).toMatchObject({
    content: "# Skill\n",
  });
  expect(await backendOn(hub, "some-skill").ls("/")).toEqual({ files: [] });
});

test("an answer with a URL of another shape is followed by a pull", async () => {
  hub.commit("shape", { "a.md": "x" });
  const client = clientOf(hub);
  const push = client.pushAgent.bind(client);
  client.pushAgent = async (identifier, options) => {
    await push(identifier, options);
    return "https://hub.example/elsewhere";
  };
  const backend = backendOn(hub, "shape", { client });
  await backend.write("/b.md", "b");
  await backend.write("/c.md", "c");
  expect(hub.textsOf("shape")).toEqual({ "a.md": "x", "b.md": "b", "c.md": "c" });
  expect(hub.count("pull")).toBe(2);
});

test("the oldest langsmith of the peer range reads, writes and is followed through a lost answer", async () => {
  hub.commit("oldest", { "a.md": "x" });
  const client = new OldestClient({
    apiUrl: hub.url,
    apiKey: hub.apiKey,
    timeout_ms: 10_000,
    autoBatchTracing: false,
  });
  const backend = backendOn(hub, "oldest", { client: client as unknown as Client });
  hub.faults.add("commit", { drop: "after" });
  expect(await backend.edit("/a.md", "x", "xx")).toMatchObject({ occurrences: 1 });
  expect(await backend.write("/b.md", "b")).toMatchObject({ path: "/b.md" });
  expect((await backend.history()).commits).toHaveLength(3);
  expect(hub.textsOf("oldest")).toEqual({ "a.md": "xx", "b.md": "b" });
});
