import { describe, expect, test } from "vitest";
import type { ContextHubBackend } from "../src/index.js";
import { backendOn } from "./hub-fixture.js";
import { startHubForFile } from "./hub-per-file.js";

const hub = await startHubForFile();

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

describe("a move or copy on an old tree", () => {
  const moves = ["move", "copy"] as const;

  test.each(moves)("finds what others have created: %s", async (kind) => {
    const backend = await behind(`new-${kind}`, {}, { "n.md": "n" });
    expect(await backend[kind]("/n.md", "/to.md")).toEqual({ path: "/to.md", files: 1 });
    const other = await behind(`newer-${kind}`, {}, { "d/x.md": "x", "d/e/y.md": "y" });
    expect(await other[kind]("/d", "/to")).toEqual({ path: "/to", files: 2 });
    expect(hub.textsOf(`newer-${kind}`)).toMatchObject({ "to/x.md": "x", "to/e/y.md": "y" });
  });

  test.each(moves)("takes the place of what others have removed: %s", async (kind) => {
    const gone = { "to/old.md": null, "t.md": null };
    const before = { "a.md": "a", "t.md": "t", "to/old.md": "o", "d/x.md": "x" };
    const backend = await behind(`free-${kind}`, before, gone);
    expect(await backend[kind]("/a.md", "/t.md")).toEqual({ path: "/t.md", files: 1 });
    const other = await behind(`freer-${kind}`, before, gone);
    expect(await other[kind]("/d", "/to")).toEqual({ path: "/to", files: 1 });
    expect(hub.textsOf(`freer-${kind}`)).toMatchObject({ "to/x.md": "x" });
  });

  test.each(moves)("is not said to be done where the source is gone: %s", async (kind) => {
    const backend = await behind(`gone-${kind}`, { "d/x.md": "x" }, { "d/x.md": null });
    expect(await backend[kind]("/d", "/to")).toMatchObject({ code: "not_found" });
    expect(hub.textsOf(`gone-${kind}`)).toEqual({ "keep.md": "k" });
  });

  test.each(moves)(
    "never joins a directory with one that others have created: %s",
    async (kind) => {
      const name = `standing-${kind}`;
      const backend = await behind(name, { "d/x.md": "x" }, { "to/theirs.md": "t" });
      expect(await backend[kind]("/d", "/to")).toMatchObject({
        code: "already_exists",
        error: expect.stringContaining("/to") as string,
      });
      expect(hub.textsOf(name)).toEqual({ "keep.md": "k", "d/x.md": "x", "to/theirs.md": "t" });
    },
  );

  test.each(moves)("is a conflict where the directory is a file by now: %s", async (kind) => {
    const backend = await behind(`kind-${kind}`, { "d/x.md": "x" }, { "d/x.md": null, d: "file" });
    expect(await backend[kind]("/d", "/to")).toMatchObject({ code: "conflict" });
    expect(await backend[kind]("/d", "/to")).toEqual({ path: "/to", files: 1 });
  });

  test("costs no look beforehand", async () => {
    const backend = await behind("move-cost", { "a.md": "a", "d/x.md": "x" }, {});
    await backend.refresh();
    hub.reset();
    await backend.move("/a.md", "/b.md");
    await backend.copy("/d", "/e");
    expect([hub.count("pull"), hub.count("commit")]).toEqual([0, 2]);
  });
});

describe("delete of what was a directory and is a file by now", () => {
  test("is a conflict that says so, and the next one removes the file", async () => {
    const backend = await behind("became", { "d/x.md": "x" }, { "d/x.md": null, d: "file" });
    expect(await backend.delete("/d")).toMatchObject({
      code: "conflict",
      error: expect.stringContaining("is a file by now") as string,
    });
    expect(hub.textsOf("became")).toEqual({ "keep.md": "k", d: "file" });
    expect(await backend.delete("/d/")).toMatchObject({ code: "not_directory" });
    expect(await backend.delete("/d")).toEqual({ path: "/d" });
    expect(hub.textsOf("became")).toEqual({ "keep.md": "k" });
  });
});
