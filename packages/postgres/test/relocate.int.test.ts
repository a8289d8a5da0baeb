import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Fixture } from "./test-backends.js";

describeWithServer("postgres", "moves, copies and edits on the server", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test.each(["move", "copy"] as const)(
    "to %s a directory takes text, binary files and long names along",
    async (kind) => {
      const files = fixture.backend();
      const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
      const long = `/d/${"x/".repeat(600)}${"é".repeat(100)}`;
      const contents: ReadonlyArray<readonly [string, Uint8Array]> = [
        ["/d/a.txt", Buffer.from("text")],
        ["/d/b.bin", bytes],
        ["/d/e/c.png", bytes],
        ["/d/e/empty", new Uint8Array()],
        [long, bytes],
      ];
      await files.uploadFiles(contents.map(([path, content]) => [path, content]));
      expect(await files[kind]("/d", "/t/u")).toEqual({ path: "/t/u", files: 5 });
      const there = await files.downloadFiles(contents.map(([path]) => path.replace("/d", "/t/u")));
      expect(there.map(({ content }) => [...(content ?? [])])).toEqual(
        contents.map(([, content]) => [...content]),
      );
      expect((await files.glob("**", "/d")).files ?? []).toHaveLength(kind === "copy" ? 5 : 0);
    },
  );

  test("an edit never makes a file larger than the limit, on the server or here", async () => {
    const files = fixture.backend({ maxFileBytes: 1000 });
    await files.write("/a", "x".repeat(990));
    for (const edit of [
      () => files.edit("/a", "x", "xx", true),
      () => files.multiEdit("/a", [{ old: "x".repeat(990), new: "é".repeat(501) }]),
    ])
      expect(await edit()).toMatchObject({ code: "too_large" });
    expect(await files.edit("/a", "x".repeat(990), "y".repeat(1000))).toMatchObject({
      occurrences: 1,
    });
    expect((await files.ls("/")).files).toMatchObject([{ size: 1000 }]);
  });

  test("a directory never goes below a file, and never where something is", async () => {
    const files = fixture.backend();
    for (const path of ["/d/a", "/f", "/g/x"]) await files.write(path, path);
    for (const kind of ["move", "copy"] as const) {
      expect(await files[kind]("/d", "/f/d")).toMatchObject({ code: "not_directory" });
      expect(await files[kind]("/d", "/f/x/y/d")).toMatchObject({ code: "not_directory" });
      expect(await files[kind]("/d", "/f")).toMatchObject({ code: "already_exists" });
      expect(await files[kind]("/d", "/g")).toMatchObject({ code: "already_exists" });
      expect(await files[kind]("/d/a", "/f/a")).toMatchObject({ code: "not_directory" });
      expect(await files[kind]("/d/a", "/g")).toMatchObject({ code: "is_directory" });
    }
    expect((await files.glob("**")).files?.map(({ path }) => path)).toEqual(["/d/a", "/f", "/g/x"]);
  });

  test("of movers and creators that race for a path each answer is true", async () => {
    const files = fixture.backend();
    for (let round = 0; round < 20; round++) {
      await files.write(`/${round}/from`, "moved");
      const [moved, written] = await Promise.all([
        files.move(`/${round}/from`, `/${round}/to`, { overwrite: true }),
        files.write(`/${round}/to`, "created"),
      ]);
      expect(moved.error).toBeUndefined();
      expect([undefined, "already_exists"]).toContain(written.code);
      const { content } = await files.read(`/${round}/to`);
      expect(content).toBe("moved");
      expect(await files.read(`/${round}/from`)).toMatchObject({ code: "not_found" });
    }
  });
});
