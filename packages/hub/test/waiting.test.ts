import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ContextHubBackend, ContextHubBackendOptions } from "../src/index.js";
import { backendOn, clientOf } from "./hub-fixture.js";
import { HubServer } from "@fs/test-servers/hub";

let hub: HubServer;
beforeAll(async () => {
  hub = await HubServer.start();
});
afterAll(async () => {
  await hub.stop();
});

test("a Hub that never answers holds no call longer than its time, whatever the client waits", async () => {
  hub.commit("silent", { "a.md": "1" });
  const backend = backendOn(hub, "silent", {
    client: clientOf(hub, { timeoutMs: 600_000 }),
    requestTimeoutMs: 250,
    retry: { attempts: 2, firstDelayMs: 1 },
  });
  await backend.ls("/");
  hub.faults.add("commit", { hang: "after" }, 2);
  hub.faults.add("pull", { hang: "before" }, 2);
  expect(await backend.write("/b.md", "b")).toMatchObject({
    code: "unavailable",
    error: expect.stringContaining("may be stored, or not") as string,
  });
  expect(await backend.read("/b.md")).toMatchObject({ content: "b" });
});

test("no time limit at all is none", async () => {
  hub.commit("patient", { "a.md": "1" });
  const backend = backendOn(hub, "patient", {
    requestTimeoutMs: Infinity,
    callTimeoutMs: Infinity,
    retry: { attempts: 1 },
  });
  expect(await backend.write("/b.md", "b")).toMatchObject({ path: "/b.md" });
  expect(await backend.history({ limit: 1 })).toMatchObject({ commits: [{}] });
});

describe("a Hub that never answers, whose requests take as long as they like", () => {
  const hanging = (options: ContextHubBackendOptions): ContextHubBackend => {
    hub.commit("endless", { "a.md": "1" });
    const client = clientOf(hub, { timeoutMs: 600_000 });
    return backendOn(hub, "endless", { client, requestTimeoutMs: 600_000, ...options });
  };
  const abortSoon = (): AbortSignal => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    return controller.signal;
  };

  test("holds no read longer than its time, however many wait", async () => {
    const backend = hanging({ callTimeoutMs: 100 });
    const heal = hub.faults.during(() => ({ hang: "before" }));
    const reads = await Promise.all(Array.from({ length: 30 }, () => backend.read("/a.md")));
    const changes = await Promise.all(
      Array.from({ length: 30 }, (_, n) => backend.write(`/n${n}.md`, "b")),
    );
    const others = [await backend.refresh(), await backend.history()];
    heal();
    for (const { code, error } of [...reads, ...changes, ...others])
      expect([code, error]).toEqual(["timeout", expect.stringContaining("too long")]);
    await expect(backend.hasPriorCommits()).rejects.toMatchObject({ code: "timeout" });
  });

  test("holds no change longer than its time, however many wait, and says what may be stored", async () => {
    const backend = hanging({ callTimeoutMs: 100 });
    await backend.ls("/");
    hub.faults.add("commit", { hang: "after" });
    const sent = backend.write("/sent.md", "b");
    await expect.poll(() => hub.textsOf("endless")).toHaveProperty("sent.md");
    const waiting = await Promise.all(
      Array.from({ length: 30 }, (_, n) => backend.write(`/waits${n}.md`, "b")),
    );
    expect(await sent).toMatchObject({
      code: "unavailable",
      error: expect.stringContaining("may be stored, or not") as string,
    });
    for (const { code, error } of waiting)
      expect([code, error]).toEqual(["timeout", expect.stringContaining("Nothing was changed")]);
    // What is read after that comes after the commit, and never from before it.
    expect(await backend.read("/sent.md")).toMatchObject({ code: "timeout" });
    expect(Object.keys(hub.textsOf("endless"))).not.toContain("waits0.md");
  });

  test("holds no call whose signal fires", async () => {
    const backend = hanging({ callTimeoutMs: Infinity });
    const heal = hub.faults.during(() => ({ hang: "before" }));
    const signal = abortSoon();
    const answers = await Promise.all([
      backend.read("/a.md", 0, 10, { signal }),
      backend.write("/b.md", "b", { signal }),
      backend.delete("/a.md", { signal }),
      backend.move("/a.md", "/c.md", { signal }),
      backend.grep("x", "/", undefined, undefined, { signal }),
      backend.refresh({ signal }),
      backend.history({ signal }),
    ]);
    heal();
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => "aborted"));
    expect(await backend.refresh({ signal: 1 as never })).toMatchObject({
      code: "invalid_argument",
    });
  });
});
