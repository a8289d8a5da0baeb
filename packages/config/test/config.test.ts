import { ConfigurationError } from "@fs/protocol";
import { type Config, DEFAULT_CONFIG, loadConfig, openTree, parseConfig } from "@fs/config";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fs-config-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, text);
  return path;
}

/** What a promise rejects with. */
async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("a configuration", () => {
  it("that does not fit is refused with every place and no value", () => {
    const secret = "hunter2-hunter2";
    for (const [wrong, place] of [
      [null, "configuration"],
      [{}, "routes"],
      [{ routes: [] }, "routes"],
      [{ routes: { "/a": {} } }, "use"],
      [{ routes: { "/a": { use: secret } } }, "use"],
      [{ routes: { "/a": { use: "disk", readOnly: secret } } }, "readOnly"],
      [{ routes: { a: { use: "disk" } } }, "absolute"],
      [{ routes: {}, permision: [] }, "permision"],
      [{ routes: {}, permissions: [{ operations: ["fly"], paths: ["/"] }] }, "operations"],
      [{ routes: {}, permissions: [{ operations: [], paths: ["/"] }] }, "operations"],
      [{ routes: {}, permissions: [{ operations: ["read"], paths: [""] }] }, "paths"],
      [{ routes: {}, quota: { bytes: -1 } }, "bytes"],
      [{ routes: {}, quota: { bytes: 1.5 } }, "bytes"],
      [{ routes: {}, quota: { operations: { max: 1 } } }, "per"],
    ] as const) {
      expect(() => parseConfig(wrong)).toThrow(ConfigurationError);
      expect(() => parseConfig(wrong)).toThrow(place);
      expect(() => parseConfig(wrong)).not.toThrow(secret);
    }
    expect(parseConfig(DEFAULT_CONFIG)).toBe(DEFAULT_CONFIG);
  });

  it("is found in the folder, and further up only as data and only in the same repository", async () => {
    const top = join(folder, "repo");
    const below = join(top, "a", "b");
    await mkdir(below, { recursive: true });
    const text = JSON.stringify({ routes: {}, readOnly: true });
    await file("repo/fs.config.mjs", `export default ${text};`);
    expect((await loadConfig({ cwd: top })).file).toBe(join(top, "fs.config.mjs"));
    expect((await loadConfig({ cwd: below })).file).toBeUndefined();
    const data = await file("repo/fs.config.json", text);
    expect((await loadConfig({ cwd: below })).config).toEqual(DEFAULT_CONFIG);
    execFileSync("git", ["init", "-q", top]);
    expect(await loadConfig({ cwd: below })).toMatchObject({ file: data, folder: top });
    await rm(data);
    expect((await loadConfig({ cwd: below })).file).toBeUndefined();
    const named = await loadConfig({ cwd: below, file: "../../fs.config.mjs" });
    expect(named.config.readOnly).toBe(true);
    // A repository within the repository is another one.
    await file("repo/fs.config.yaml", "routes: {}\n");
    expect((await loadConfig({ cwd: below })).file).toBe(join(top, "fs.config.yaml"));
    execFileSync("git", ["init", "-q", join(top, "a")]);
    expect((await loadConfig({ cwd: below })).file).toBeUndefined();
  });

  it("that cannot be read says where, and quotes nothing of it", async () => {
    const secret = "s3cr3t-value";
    const broken = [
      await file("broken.json", `{\n"routes": ${secret}\n}`),
      await file("broken.yaml", `routes:\n  a: [${secret}\n`),
      await file("broken.mjs", `throw new Error("${secret}");`),
      await file("syntax.mjs", `const ${secret};`),
      await file("empty.mjs", "export const a = 1;"),
      join(folder, "missing.json"),
    ];
    for (const path of broken) {
      const error = await rejection(loadConfig({ file: path }));
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(String(error)).not.toContain(secret);
      expect(String(error)).not.toContain(folder);
    }
    const comma = await file("comma.json", '{\n"routes": {} x\n}');
    expect(String(await rejection(loadConfig({ file: comma })))).toContain("line 2");
  });
});

it.each([
  ["disk", "rootDir"],
  ["shell", "rootDir"],
  ["bubblewrap", "workspace"],
] as const)("the directory of %s is beside its configuration", async (use, name) => {
  const tree = await openTree({ routes: { "/d/": { use, [name]: `./of-${use}` } } }, { folder });
  await tree.backend.write("/d/a.txt", "x");
  await tree.dispose();
  const made = await readdir(folder);
  expect(made).toContain(`of-${use}`);
});

describe("a variable", () => {
  it("stands in values only, and a missing one is named with its place", async () => {
    const routes = { "/d/": { use: "disk", rootDir: "${ROOT}" } } as const;
    const environment = { ROOT: folder, EMPTY: "" };
    await file("inside.txt", "x");
    const tree = await openTree({ routes }, { environment });
    expect((await tree.backend.read("/d/inside.txt")).content).toBe("x");
    await tree.dispose();
    for (const rootDir of ["${NOPE}", "${EMPTY}"]) {
      const error = await rejection(
        openTree({ routes: { "/d/": { use: "disk", rootDir } } }, { environment }),
      );
      expect(String(error)).toContain("routes./d/.rootDir");
      expect(String(error)).toContain(rootDir.slice(2, -1));
    }
    for (const rootDir of ["${", "${}", "${a b}", "${A"]) {
      const error = await rejection(
        openTree({ routes: { "/d/": { use: "disk", rootDir } } }, { environment }),
      );
      expect(error).toBeInstanceOf(ConfigurationError);
    }
  });

  it("and a password are hidden in errors and by redact", async () => {
    const secret = "p@ss/word+1";
    const encoded = encodeURIComponent(secret);
    const environment = { DB: `postgres://me:${encoded}@db.example:5432/x`, N: secret };
    const tree = await openTree(
      { routes: { "/p/": { use: "postgres", url: "${DB}", namespace: "${N}" } } },
      { environment },
    );
    const shown = tree.redact(`${environment.DB} ${secret} ${encoded} postgres://a:b@c/d`);
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(encoded);
    expect(shown).not.toContain("a:b");
    await tree.dispose();
    const wrong = {
      use: "postgres",
      url: "${DB}",
      schema: `${environment.DB}\0`,
    } as const;
    const error = await rejection(openTree({ routes: { "/p/": wrong } }, { environment }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).not.toContain(encoded);
  });
});

describe("a tree", () => {
  it("has memory at its root, routes where they are named, and refuses what it must", async () => {
    await file("root/a.txt", "alpha\n");
    const tree = await openTree(
      {
        routes: {
          "/disk": { use: "disk", rootDir: "root", readOnly: true },
          "/notes/": { use: "memory", quota: { bytes: 3 } },
        },
        permissions: [{ operations: ["write"], paths: ["/notes/no/**"], mode: "deny" }],
      },
      { folder },
    );
    const { backend } = tree;
    expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual(["/disk/", "/notes/"]);
    expect((await backend.read("/disk/a.txt")).content).toBe("alpha\n");
    expect((await backend.write("/disk/b.txt", "")).code).toBe("permission_denied");
    expect((await backend.write("/notes/no/x", "")).code).toBe("permission_denied");
    expect((await backend.write("/notes/x", "four")).code).toBe("quota_exceeded");
    expect((await backend.write("/notes/x", "ok")).error).toBeUndefined();
    expect(tree.routes.map(({ path, use, readOnly }) => [path, use, readOnly])).toEqual([
      ["/", "memory", false],
      ["/disk/", "disk", true],
      ["/notes/", "memory", false],
    ]);
    await tree.dispose();
  });

  it("opens only what its scope needs", async () => {
    const routes = {
      "/a/": { use: "memory" },
      "/a/b/": { use: "memory" },
      "/db/": { use: "postgres", url: "${NOT_SET}" },
    } as const;
    const opened = async (paths: string[], deep: boolean): Promise<string[]> => {
      const tree = await openTree({ routes }, { environment: {}, scope: { paths, deep } });
      await tree.dispose();
      return tree.routes.filter((route) => route.backend !== undefined).map(({ path }) => path);
    };
    expect(await opened(["/a/x"], true)).toEqual(["/a/"]);
    expect(await opened(["/a"], true)).toEqual(["/a/", "/a/b/"]);
    expect(await opened(["/a"], false)).toEqual(["/a/"]);
    expect(await opened(["/"], false)).toEqual(["/"]);
    await expect(opened(["/"], true)).rejects.toThrow("NOT_SET");
    await expect(opened(["/db"], false)).rejects.toThrow("NOT_SET");
    expect(await opened(["//a/./x"], false)).toEqual(["/a/"]);
    expect(await opened(["/a//b//"], false)).toEqual(["/a/b/"]);
    expect(await opened(["/../x", "x", ""], true)).toEqual([]);
  });

  it("stores nothing where a route was not opened", async () => {
    const routes = { "/": { use: "memory" }, "/a/": { use: "memory" } } as const;
    const { backend } = await openTree({ routes }, { scope: { paths: ["/"], deep: false } });
    expect((await backend.write("/here", "1")).error).toBeUndefined();
    expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual(["/a/", "/here"]);
    expect((await backend.write("/a/x", "1")).code).toBe("unavailable");
    expect((await backend.uploadFiles?.([["/a/x", new Uint8Array()]]))?.[0]?.code).toBe(
      "unavailable",
    );
    expect((await backend.read("/a/x")).code).toBe("unavailable");
    expect((await backend.ls("/a")).code).toBe("unavailable");
    expect((await backend.move?.("/here", "/a/x"))?.code).toBe("unavailable");
    expect((await backend.read("/here")).content).toBe("1");
  });
});

describe("layers over the routes", () => {
  const layer = (rootDir: string) => ({ use: "disk", rootDir }) as const;

  it("stage what is changed, hold the rules at a commit too, and record what changes", async () => {
    const config: Config = {
      routes: { "/": layer("base") },
      staging: { upper: layer("upper") },
      journal: { store: layer("journal") },
      permissions: [{ operations: ["write"], paths: ["/closed/**"], mode: "deny" }],
    };
    const tree = await openTree(config, { folder });
    expect((await tree.backend.write("/closed/a", "1")).code).toBe("permission_denied");
    await tree.backend.write("/open", "1");
    expect((await tree.journal?.history())?.records).toEqual([]);
    await tree.dispose();
    const later = await openTree(config, { folder });
    expect((await later.staging?.commit())?.complete).toBe(true);
    const { records = [] } = (await later.journal?.history("/open")) ?? {};
    expect(records.map(({ outcome }) => outcome)).toEqual(["done"]);
    await later.dispose();
    const locked = await openTree({ ...config, readOnly: true }, { folder });
    expect((await locked.backend.write("/b", "1")).code).toBe("permission_denied");
    await locked.dispose();
  });

  it("hide the secrets of their storage", async () => {
    const secret = "p%40ss-word";
    const tree = await openTree(
      {
        routes: {},
        staging: { upper: { use: "postgres", url: "${DB}" } },
      },
      { environment: { DB: `postgres://me:${secret}@db.example:5432/x` } },
    );
    expect(tree.redact(`the password is ${secret}`)).not.toContain(secret);
    await tree.dispose();
  });

  it("are refused where they are incomplete", async () => {
    for (const wrong of [{ staging: {} }, { journal: {} }, { staging: { uper: layer("x") } }])
      expect(await rejection(openTree({ routes: {}, ...wrong } as never))).toBeInstanceOf(
        ConfigurationError,
      );
  });
});
