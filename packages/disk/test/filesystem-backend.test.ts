import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FilesystemBackend, type FilesystemBackendOptions } from "@fs/disk";
import { temporaryRoot } from "./temporary-root.js";

type Containment = NonNullable<FilesystemBackendOptions["containment"]>;

describe.each<Containment>(["race-free", "best-effort"])("a %s backend", (containment) => {
  function served(options: FilesystemBackendOptions = {}): [FilesystemBackend, string] {
    const rootDir = temporaryRoot();
    return [new FilesystemBackend({ rootDir, containment, ...options }), rootDir];
  }

  test("writes, reads, edits, lists and deletes on the real disk", async () => {
    const [backend, root] = served();
    expect(await backend.write("/a/b/c.txt", "one\ntwo\n")).toMatchObject({ path: "/a/b/c.txt" });
    expect(readFileSync(join(root, "a/b/c.txt"), "utf8")).toBe("one\ntwo\n");
    expect(await backend.read("/a/b/c.txt", 1)).toMatchObject({ content: "two\n", totalLines: 2 });
    expect(await backend.edit("/a/b/c.txt", "two", "2")).toMatchObject({ occurrences: 1 });
    expect(readFileSync(join(root, "a/b/c.txt"), "utf8")).toBe("one\n2\n");
    const { files } = await backend.ls("/a/b");
    expect(files).toMatchObject([{ path: "/a/b/c.txt", is_dir: false, size: 6 }]);
    expect(await backend.delete("/a")).toEqual({ path: "/a" });
    expect(existsSync(join(root, "a"))).toBe(false);
    expect(await backend.ls("/")).toEqual({ files: [] });
  });

  test("tells a directory, a missing file and a path below a file apart", async () => {
    const [backend, root] = served();
    mkdirSync(join(root, "dir"));
    writeFileSync(join(root, "file"), "x");
    expect(await backend.read("/dir")).toMatchObject({ code: "is_directory" });
    expect(await backend.read("/file/below")).toMatchObject({ code: "not_found" });
    expect(await backend.read("/gone")).toMatchObject({ code: "not_found" });
    expect(await backend.write("/dir", "x")).toMatchObject({ code: "is_directory" });
    expect(await backend.write("/file/below", "x")).toMatchObject({ code: "not_directory" });
    expect(await backend.write("/file", "y")).toMatchObject({ code: "already_exists" });
    expect(await backend.ls("/gone")).toMatchObject({ code: "not_found" });
    expect(await backend.ls("/file")).toMatchObject({ code: "not_directory" });
    expect(await backend.ls("/dir")).toEqual({ files: [] });
    expect(await backend.glob("*", "/dir")).toEqual({ files: [] });
    expect(await backend.delete("/gone")).toMatchObject({ code: "not_found" });
    expect(readdirSync(root).toSorted()).toEqual(["dir", "file"]);
  });

  test("keeps the mode of a file that it replaces", async () => {
    const [backend, root] = served();
    writeFileSync(join(root, "run.sh"), "echo 1\n");
    chmodSync(join(root, "run.sh"), 0o751);
    await backend.edit("/run.sh", "1", "2");
    expect(statSync(join(root, "run.sh")).mode & 0o777).toBe(0o751);
  });

  test("leaves no temporary file and lists none", async () => {
    const [backend, root] = served({ fsync: true });
    await backend.write("/a.txt", "1");
    await backend.edit("/a.txt", "1", "2");
    await backend.write("/a.txt", "3");
    expect(readdirSync(root)).toEqual(["a.txt"]);
    const left = `.fs-disk-${"0".repeat(24)}.tmp`;
    writeFileSync(join(root, left), "half");
    expect((await backend.ls("/")).files).toHaveLength(1);
    expect((await backend.glob("**/*")).files).toHaveLength(1);
    expect(await backend.grep("half")).toEqual({ matches: [] });
    expect(await backend.write(`/${left}`, "x")).toMatchObject({ code: "permission_denied" });
  });

  test("acknowledges every one of 20 parallel edits", async () => {
    const [backend, root] = served();
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}.\n`).join("");
    await backend.write("/log.txt", lines);
    const other = new FilesystemBackend({ rootDir: root, containment });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? backend : other).edit("/log.txt", `line ${i}.`, `done ${i}.`),
      ),
    );
    expect(results.filter((result) => result.error !== undefined)).toEqual([]);
    expect(readFileSync(join(root, "log.txt"), "utf8")).toBe(lines.replaceAll("line", "done"));
  });

  test("lets exactly one of 20 parallel writes win", async () => {
    const [backend, root] = served();
    const other = new FilesystemBackend({ rootDir: root, containment });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? backend : other).write("/x", String(i))),
    );
    const winners = results.flatMap((result, i) => (result.error === undefined ? [i] : []));
    expect(winners).toHaveLength(1);
    expect(readFileSync(join(root, "x"), "utf8")).toBe(String(winners[0]));
  });

  test("neither follows nor lists links, and deletes them as links", async () => {
    const outside = temporaryRoot();
    writeFileSync(join(outside, "secret"), "secret");
    const [backend, root] = served();
    symlinkSync(join(outside, "secret"), join(root, "file"));
    symlinkSync(outside, join(root, "dir"));
    expect((await backend.ls("/")).files).toEqual([]);
    for (const path of ["/file", "/dir/secret", "/dir/none/none"]) {
      expect(await backend.read(path)).toMatchObject({ code: "permission_denied" });
      expect((await backend.write(path, "x")).code).toBe("permission_denied");
      expect(await backend.edit(path, "secret", "x")).toMatchObject({ code: "permission_denied" });
    }
    expect(await backend.ls("/dir")).toMatchObject({ code: "permission_denied" });
    expect(await backend.delete("/file")).toEqual({ path: "/file" });
    expect(await backend.delete("/dir")).toEqual({ path: "/dir" });
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
    expect(readdirSync(root)).toEqual([]);
  });

  test("follows links inside the root when asked to, and no others", async () => {
    const outside = temporaryRoot();
    writeFileSync(join(outside, "secret"), "secret");
    const [backend, root] = served({ symlinks: "inside" });
    mkdirSync(join(root, "real"));
    writeFileSync(join(root, "real/a.txt"), "needle\n");
    symlinkSync("real", join(root, "alias"));
    symlinkSync(join(root, "real/a.txt"), join(root, "absolute.txt"));
    symlinkSync("..", join(root, "real/up"));
    symlinkSync("../..", join(root, "real/out"));
    symlinkSync(join(outside, "secret"), join(root, "secret"));
    symlinkSync("loop", join(root, "loop"));
    expect(await backend.read("/alias/a.txt")).toMatchObject({ content: "needle\n" });
    expect(await backend.read("/absolute.txt")).toMatchObject({ content: "needle\n" });
    for (const path of ["/secret", "/loop", "/real/out/x"])
      expect(await backend.read(path)).toMatchObject({ code: "permission_denied" });
    const listed = (await backend.ls("/")).files?.map(({ path }) => path);
    expect(listed).toEqual(["/absolute.txt", "/alias/", "/real/"]);
    const found = (await backend.glob("**/*.txt")).files?.map(({ path }) => path) ?? [];
    expect(found).toContain("/real/a.txt");
    for (const path of found) expect((await backend.read(path)).content).toBe("needle\n");
    expect(await backend.edit("/absolute.txt", "needle", "pin")).toMatchObject({ occurrences: 1 });
    expect(readFileSync(join(root, "real/a.txt"), "utf8")).toBe("pin\n");
    expect(await backend.delete("/absolute.txt")).toEqual({ path: "/absolute.txt" });
    expect(existsSync(join(root, "real/a.txt"))).toBe(true);
  });

  test("serves a directory that does not exist yet", async () => {
    const rootDir = join(temporaryRoot(), "later", "still");
    const backend = new FilesystemBackend({ rootDir, containment });
    expect(await backend.ls("/")).toEqual({ files: [] });
    expect(await backend.glob("**/*")).toEqual({ files: [] });
    expect(await backend.write("/a", "1")).toMatchObject({ path: "/a" });
    expect(readFileSync(join(rootDir, "a"), "utf8")).toBe("1");
  });

  test("keeps created_at through edits", async () => {
    const [backend] = served();
    await backend.write("/a", "1");
    const before = (await backend.readRaw("/a")).data;
    await backend.edit("/a", "1", "2");
    const after = (await backend.readRaw("/a")).data;
    expect(after).toMatchObject({ content: "2" });
    expect(before !== undefined && "created_at" in before && before.created_at).toBe(
      after !== undefined && "created_at" in after && after.created_at,
    );
  });
});

test("uploads to one new name at once all succeed, and one of them stays whole", async () => {
  const rootDir = temporaryRoot();
  const backends = [1, 2, 3, 4].map(() => new FilesystemBackend({ rootDir }));
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      backends.map((backend, n) =>
        backend.uploadFiles([[`/d/${round}`, new Uint8Array(5000).fill(n)]]),
      ),
    );
    expect(answers.flat().map(({ error }) => error)).toEqual([null, null, null, null]);
    const stored = readFileSync(join(rootDir, "d", `${round}`));
    expect([stored.length, new Set(stored).size]).toEqual([5000, 1]);
    const { info } = (await backends[0]?.stat(`/d/${round}`)) ?? {};
    expect(answers.flat().map(({ version }) => version)).toContain(info?.version);
  }
  expect(readdirSync(join(rootDir, "d"))).toHaveLength(20);
});

test("without virtual mode, paths are those of the host", async () => {
  const rootDir = temporaryRoot();
  const backend = new FilesystemBackend({ rootDir, virtualMode: false });
  writeFileSync(join(rootDir, "a.txt"), "1");
  expect(await backend.read(join(rootDir, "a.txt"))).toMatchObject({ content: "1" });
  expect(await backend.read("a.txt")).toMatchObject({ content: "1" });
  expect((await backend.ls()).files).toMatchObject([{ path: join(rootDir, "a.txt") }]);
  expect(await backend.write("sub/b.txt", "2")).toMatchObject({ path: join(rootDir, "sub/b.txt") });
});
