import { describe, expect, test } from "vitest";
import { backendOn, clientOf } from "./hub-fixture.js";
import { startHubForFile } from "./hub-per-file.js";

const hub = await startHubForFile();

describe("an answer that was lost", () => {
  test.each(["after", "half"] as const)(
    "does not make an edit twice, nor a create fail (%s)",
    async (drop) => {
      const name = `lost-${drop}`;
      hub.commit(name, { "a.md": "x" });
      const backend = backendOn(hub, name);
      hub.faults.add("commit", { drop });
      expect(await backend.edit("/a.md", "x", "xx")).toMatchObject({ occurrences: 1 });
      hub.faults.add("commit", { drop });
      expect(await backend.write("/b.md", "b")).toMatchObject({ path: "/b.md" });
      expect(hub.textsOf(name)).toEqual({ "a.md": "xx", "b.md": "b" });
      expect(hub.commitsOf(name)).toHaveLength(3);
    },
  );

  test("of a commit that somebody built on is still recognised", async () => {
    hub.commit("built", { "a.md": "x" });
    const backend = backendOn(hub, "built");
    hub.faults.add("commit", { drop: "after" });
    const again = hub.faults.hold("commit");
    const edited = backend.edit("/a.md", "x", "xx");
    await again.arrived;
    hub.commit("built", { "other.md": "theirs" });
    again.release();
    expect(await edited).toMatchObject({ occurrences: 1 });
    expect(hub.textsOf("built")).toEqual({ "a.md": "xx", "other.md": "theirs" });
  });

  test("of a commit that somebody wrote over is found in the history", async () => {
    hub.commit("over", { "a.md": "x" });
    const backend = backendOn(hub, "over");
    hub.faults.add("commit", { drop: "after" });
    const again = hub.faults.hold("commit");
    const edited = backend.edit("/a.md", "x", "xx");
    await again.arrived;
    hub.commit("over", { "a.md": "xx and theirs" });
    again.release();
    expect(await edited).toMatchObject({ occurrences: 1 });
    expect(hub.textsOf("over")).toEqual({ "a.md": "xx and theirs" });
  });

  test("of a commit that was never made is told from the one that somebody made instead", async () => {
    hub.commit("instead", { "a.md": "one x" });
    const backend = backendOn(hub, "instead");
    hub.faults.add("commit", { drop: "before" });
    const again = hub.faults.hold("commit");
    const edited = backend.edit("/a.md", "x", "xx");
    await again.arrived;
    hub.commit("instead", { "a.md": "two x" });
    again.release();
    expect(await edited).toMatchObject({ occurrences: 1 });
    expect(hub.textsOf("instead")).toEqual({ "a.md": "two xx" });
  });

  test("is reported as unknown, and not repeated, where there is no history to look at", async () => {
    hub.commit("unknown", { "a.md": "x" });
    const backend = backendOn(hub, "unknown");
    hub.faults.add("commit", { drop: "after" });
    hub.faults.add("history", { status: 403 });
    const again = hub.faults.hold("commit");
    const edited = backend.edit("/a.md", "x", "xx");
    await again.arrived;
    hub.commit("unknown", { "a.md": "xx and theirs" });
    again.release();
    expect(await edited).toMatchObject({
      code: "unavailable",
      error: expect.stringContaining("may be stored, or not"),
    });
    expect(hub.textsOf("unknown")).toEqual({ "a.md": "xx and theirs" });
  });

  test("for good is an error that says so; the next read asks the Hub", async () => {
    hub.commit("silent", { "a.md": "x" });
    const backend = backendOn(hub, "silent");
    await backend.ls("/");
    hub.faults.add("commit", { drop: "after" });
    hub.faults.add("commit", { drop: "before" }, 3);
    hub.faults.add("pull", { drop: "before" }, 4);
    expect(await backend.edit("/a.md", "x", "xx")).toMatchObject({
      code: "unavailable",
      error: expect.stringContaining("may be stored, or not"),
    });
    expect(await backend.read("/a.md")).toMatchObject({ content: "xx" });
  });

  test("is found out after a timeout too", async () => {
    hub.commit("slow", { "a.md": "x" });
    const backend = backendOn(hub, "slow", { client: clientOf(hub, { timeoutMs: 500 }) });
    hub.faults.add("commit", { hang: "after" });
    expect(await backend.edit("/a.md", "x", "xx")).toMatchObject({ occurrences: 1 });
    expect(hub.textsOf("slow")).toEqual({ "a.md": "xx" });
  });
});

describe("a Hub that is in trouble", () => {
  test.each([429, 500, 503])("is asked again after %i", async (status) => {
    const name = `busy-${status}`;
    hub.commit(name, { "a.md": "x" });
    const backend = backendOn(hub, name);
    hub.faults.add("pull", { status }, 2);
    hub.faults.add("commit", { status }, 2);
    expect(await backend.write("/b.md", "b")).toMatchObject({ path: "/b.md" });
    expect(hub.count("commit")).toBe(3);
    expect(hub.textsOf(name)).toEqual({ "a.md": "x", "b.md": "b" });
  });

  test("that stays so is an error after a bounded number of requests, and nothing is stored", async () => {
    hub.commit("down", { "a.md": "x" });
    const backend = backendOn(hub, "down");
    await backend.ls("/");
    hub.faults.add("commit", { status: 429 }, 50);
    expect(await backend.write("/b.md", "b")).toMatchObject({ code: "unavailable" });
    expect(hub.count("commit")).toBe(4);
    expect(hub.textsOf("down")).toEqual({ "a.md": "x" });
  });

  test("that hangs is not asked by every waiting call in turn", async () => {
    hub.commit("hangs", { "a.md": "x" });
    const backend = backendOn(hub, "hangs", { retry: { attempts: 2, firstDelayMs: 1 } });
    hub.faults.add("pull", { drop: "before" }, 2);
    const reads = await Promise.all(Array.from({ length: 10 }, () => backend.read("/a.md")));
    expect(reads.map(({ code }) => code)).toEqual(reads.map(() => "unavailable"));
    expect(hub.count("pull")).toBe(2);
  });

  test("that is too slow is a timeout", async () => {
    hub.commit("tar", { "a.md": "x" });
    const client = clientOf(hub, { timeoutMs: 100 });
    const backend = backendOn(hub, "tar", { client, retry: { attempts: 2, firstDelayMs: 1 } });
    hub.faults.add("pull", { hang: "before" }, 2);
    expect(await backend.read("/a.md")).toMatchObject({ code: "timeout" });
  });

  test("recovers from settings that could not be fetched, which the client alone does not", async () => {
    hub.commit("settings", { "a.md": "x" });
    const backend = backendOn(hub, "settings", { retry: { attempts: 1 } });
    hub.faults.add("settings", { status: 500 });
    expect(await backend.write("/b.md", "b")).toMatchObject({ code: "unavailable" });
    expect(await backend.write("/b.md", "b")).toMatchObject({ path: "/b.md" });
  });

  test.each([
    [413, "too_large"],
    [422, "invalid_argument"],
    [403, "permission_denied"],
  ])("that answers a commit with %i says %s", async (status, code) => {
    const name = `refuse-${status}`;
    hub.commit(name, { "a.md": "x" });
    const backend = backendOn(hub, name);
    hub.faults.add("commit", { status });
    expect(await backend.write("/b.md", "b")).toMatchObject({ code });
    expect(hub.count("commit")).toBe(1);
  });
});

test("a listener that throws makes no call reject", async () => {
  hub.commit("listener", { "a.md": "x" });
  const onError = (): never => {
    throw new Error("a listener that fails");
  };
  const backend = backendOn(hub, "listener", { onError, retry: { attempts: 1 } });
  hub.faults.add("pull", { status: 500 }, 2);
  hub.faults.add("history", { status: 500 });
  expect(await backend.read("/a.md")).toMatchObject({ code: "unavailable" });
  expect(await backend.refresh()).toMatchObject({ code: "unavailable" });
  expect(await backend.history()).toMatchObject({ code: "unavailable" });
});

describe("a key", () => {
  test("that is wrong is permission_denied, for reads and for writes", async () => {
    hub.commit("locked", { "a.md": "x" });
    const backend = backendOn(hub, "locked", { client: clientOf(hub, { apiKey: "wrong" }) });
    expect(await backend.read("/a.md")).toMatchObject({ code: "permission_denied" });
    expect(await backend.write("/b.md", "x")).toMatchObject({ code: "permission_denied" });
    expect(hub.count("pull")).toBe(2);
  });

  test("never appears in a result, nor does the server's address, whatever the server says", async () => {
    hub.commit("leak", { "a.md": "x" });
    const heard: unknown[] = [];
    const onError = (error: unknown): void => void heard.push(error);
    for (const status of [400, 401, 403, 413, 422, 429, 500]) {
      const backend = backendOn(hub, "leak", { onError, retry: { attempts: 1 } });
      hub.faults.add("pull", { status, body: `key ${hub.apiKey}` });
      hub.faults.add("commit", { status, body: `key ${hub.apiKey}` });
      const results = JSON.stringify([
        await backend.read("/a.md"),
        await backend.write(`/${status}.md`, "b"),
        await backend.uploadFiles([[`/${status}.up.md`, Buffer.from("b")]]),
        await backend.refresh(),
      ]);
      expect(results).not.toContain(hub.apiKey);
      expect(results).not.toContain("127.0.0.1");
    }
    expect(heard.length).toBeGreaterThan(0);
  });

  test("of another workspace cannot write to somebody's repository", async () => {
    hub.commit("theirs", { "a.md": "x" });
    const backend = backendOn(hub, "someone/theirs");
    expect(await backend.read("/a.md")).toMatchObject({ content: "x" });
    expect(await backend.write("/b.md", "x")).toMatchObject({ code: "permission_denied" });
    expect(await backendOn(hub, "acme/theirs").write("/b.md", "x")).toMatchObject({
      path: "/b.md",
    });
  });
});

test("a name that the Hub does not create is invalid_argument", async () => {
  expect(await backendOn(hub, "Not-A-Handle").write("/a.md", "x")).toMatchObject({
    code: "invalid_argument",
  });
});
