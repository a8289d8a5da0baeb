import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ContextHubBackend } from "../src/index.js";
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

/** A backend that knows the files as they were, and not what somebody else has committed since. */
async function behind(
  name: string,
  before: Record<string, string>,
  since: Record<string, string | null>,
): Promise<ContextHubBackend> {
  hub.commit(name, { "keep.md": "k", ...before });
  const backend = backendOn(hub, name, { writeMode: "overwrite" });
  await backend.ls("/");
  hub.commit(name, since);
  hub.reset();
  return backend;
}

describe("a change that changes nothing of the tree that is here", () => {
  const stored: Record<string, (backend: ContextHubBackend) => Promise<unknown>> = {
    write: (backend) => backend.write("/a.md", "x"),
    uploadFiles: (backend) => backend.uploadFiles([["/a.md", Buffer.from("x")]]),
    copy: (backend) => backend.copy("/x.md", "/a.md", { overwrite: true }),
  };
  test.each(Object.entries(stored))(
    "is made where others have changed the file: %s",
    async (name, call) => {
      const backend = await behind(
        `same-${name}`,
        { "a.md": "x", "x.md": "x" },
        { "a.md": "theirs" },
      );
      expect([await call(backend)].flat()).toEqual([
        expect.not.objectContaining({ code: expect.anything() as string }),
      ]);
      expect(hub.textsOf(`same-${name}`)).toMatchObject({ "a.md": "x" });
    },
  );

  test("is refused where its version has been replaced, and where it applies no longer", async () => {
    const backend = await behind("same-version", { "a.md": "x" }, { "a.md": "theirs" });
    const { version = "" } = await backend.read("/a.md");
    const conflict = { code: "conflict" };
    expect(await backend.write("/a.md", "x", { ifVersion: version })).toMatchObject(conflict);
    const other = await behind("same-edit", { "a.md": "x" }, { "a.md": "theirs" });
    expect(await other.edit("/a.md", "x", "x")).toMatchObject(conflict);
    expect(hub.textsOf("same-edit")).toMatchObject({ "a.md": "theirs" });
  });

  test("costs one pull, and none together with a change that is committed", async () => {
    const backend = await behind("same-cost", { "a.md": "x" }, {});
    expect(await backend.write("/a.md", "x")).toMatchObject({ path: "/a.md" });
    expect(hub.requests).toEqual(["pull"]);
    hub.reset();
    await Promise.all([backend.write("/a.md", "x"), backend.write("/b.md", "b")]);
    expect(hub.count("pull")).toBe(0);
  });
});
