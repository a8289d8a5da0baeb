import { mkdtempSync, rmSync, type Stats as NodeStats } from "node:fs";
import * as realFs from "node:fs/promises";
import { constants } from "node:os";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ERRNO_OF_CODE, errnoError, type NodeFilesystem, nodeFilesystem } from "@fs/node";
import { ERROR_CODES, failure, interceptBackend, MemoryBackend, readOnly } from "@fs/protocol";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";

const base = mkdtempSync(join(tmpdir(), "fs-node-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** What a call answers, or the code that it rejects with. */
async function said(task: Promise<unknown>): Promise<unknown> {
  try {
    return await task;
  } catch (error) {
    return error instanceof Error && "code" in error ? `! ${String(error.code)}` : error;
  }
}

describe("an object like node:fs/promises", () => {
  it("answers as Node does", async () => {
    const ours = nodeFilesystem(new MemoryBackend(), { cwd: "/" });
    type Calls = Pick<
      typeof realFs,
      | "readFile"
      | "writeFile"
      | "appendFile"
      | "mkdir"
      | "rm"
      | "unlink"
      | "rename"
      | "copyFile"
      | "access"
    > & { readdir: (path: string) => Promise<string[]>; rmdir: (path: string) => Promise<void> };
    const both = async (call: (fs: Calls, at: (path: string) => string) => Promise<unknown>) => {
      const here = await said(call(ours as unknown as Calls, (path) => path));
      const there = await said(call(realFs, (path) => join(base, path)));
      expect([String(call), here]).toEqual([String(call), there]);
    };
    await both((fs, at) => fs.writeFile(at("/a"), "one"));
    await both((fs, at) => fs.writeFile(at("/a"), "two", { flag: "wx" }));
    await both((fs, at) => fs.readFile(at("/a"), "utf8"));
    await both((fs, at) => fs.readFile(at("/a")));
    await both((fs, at) => fs.readFile(at("/a"), { encoding: "hex" }));
    await both((fs, at) => fs.appendFile(at("/a"), "+"));
    await both((fs, at) => fs.appendFile(at("/new"), Buffer.from([0xff, 0x00])));
    await both((fs, at) => fs.readFile(at("/new")));
    await both((fs, at) => fs.readFile(at("/none")));
    await both((fs, at) => fs.readFile(at("/")));
    await both((fs, at) => fs.mkdir(at("/d")));
    await both((fs, at) => fs.mkdir(at("/d")));
    await both((fs, at) => fs.mkdir(at("/d"), { recursive: true }));
    await both((fs, at) => fs.mkdir(at("/x/y")));
    await both((fs, at) => fs.mkdir(at("/a/y")));
    await both((fs, at) => fs.readdir(at("/")));
    await both((fs, at) => fs.readdir(at("/d")));
    await both((fs, at) => fs.readdir(at("/a")));
    await both((fs, at) => fs.readdir(at("/none")));
    await both((fs, at) => fs.readFile(at("/d")));
    await both((fs, at) => fs.writeFile(at("/d"), "x"));
    await both((fs, at) => fs.writeFile(at("/d/f"), "x"));
    await both((fs, at) => fs.rmdir(at("/d")));
    await both((fs, at) => fs.rmdir(at("/a")));
    await both((fs, at) => fs.rm(at("/d")));
    await both((fs, at) => fs.rename(at("/a"), at("/d")));
    await both((fs, at) => fs.rename(at("/d"), at("/a")));
    await both((fs, at) => fs.rename(at("/a"), at("/new")));
    await both((fs, at) => fs.readFile(at("/new"), "utf8"));
    await both((fs, at) => fs.copyFile(at("/new"), at("/d/f"), 1));
    await both((fs, at) => fs.copyFile(at("/new"), at("/d/f")));
    await both((fs, at) => fs.rename(at("/d"), at("/e")));
    await both((fs, at) => fs.readFile(at("/e/f"), "utf8"));
    await both((fs, at) => fs.access(at("/none")));
    await both((fs, at) => fs.unlink(at("/none")));
    await both((fs, at) => fs.rm(at("/none"), { force: true }));
    await both((fs, at) => fs.rm(at("/e"), { recursive: true }));
    await both((fs, at) => fs.mkdir(at("/v")));
    await both((fs, at) => fs.rmdir(at("/v")));
    await both((fs, at) => fs.readdir(at("/")));
  });

  it("renames a directory over nothing, not even what is stored at its destination meanwhile", async () => {
    class Late extends MemoryBackend {
      override async move(...args: Parameters<MemoryBackend["move"]>) {
        await this.write("/to/a", "theirs");
        return super.move(...args);
      }
    }
    const files = new Late();
    await files.write("/from/a", "ours");
    expect(await said(nodeFilesystem(files).rename("/from", "/to"))).toBe("! ENOTEMPTY");
    expect((await files.read("/to/a")).content).toBe("theirs");
    expect((await files.read("/from/a")).content).toBe("ours");
  });

  it("keeps virtual directories until a file is below them", async () => {
    const fs = nodeFilesystem(new MemoryBackend());
    expect(await fs.mkdir("/a/b/c", { recursive: true })).toBe("/a");
    expect((await fs.stat("/a/b")).isDirectory()).toBe(true);
    expect(await fs.readdir("/", { recursive: true })).toEqual(["a", "a/b", "a/b/c"]);
    await fs.writeFile("/a/b/f", "x");
    await fs.rename("/a", "/z");
    expect(await fs.readdir("/", { recursive: true })).toEqual(["z", "z/b", "z/b/c", "z/b/f"]);
    await fs.rm("/z", { recursive: true });
    expect(await fs.readdir("/")).toEqual([]);
    expect(await said(fs.stat("/z"))).toBe("! ENOENT");
  });

  it("resolves relative paths by its cwd, and never leaves the root", async () => {
    const backend = new MemoryBackend();
    const fs = nodeFilesystem(backend, { cwd: "/project/src" });
    await fs.writeFile("../a.md", "a");
    await fs.writeFile("../../../../../b.md", "b");
    await fs.writeFile(new URL("file:///c%20d.md"), "c");
    const { files } = await backend.glob("**/*");
    expect(files?.map(({ path }) => path)).toEqual(["/b.md", "/c d.md", "/project/a.md"]);
    expect(await said(fs.readFile(""))).toBe("! ENOENT");
    expect(await said(fs.readFile("a\0b"))).toBe("! EINVAL");
    expect(() => nodeFilesystem(backend, { cwd: "relative" })).toThrow(TypeError);
    expect(() => nodeFilesystem(backend, { root: "/" } as object)).toThrow(TypeError);
  });

  it("keeps all of 20 appends that run together, in two instances", async () => {
    const backend = new MemoryBackend();
    const instances = [nodeFilesystem(backend), nodeFilesystem(backend)];
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`);
    await Promise.all(lines.map((line, index) => instances[index % 2]!.appendFile("/log", line)));
    const written = (await backend.read("/log")).content;
    expect(String(written).split("\n").toSorted()).toEqual(
      ["", ...lines.map((line) => line.trim())].toSorted(),
    );
  });

  it("stores and removes on a condition", async () => {
    const fs = nodeFilesystem(new MemoryBackend());
    const { version = "" } = await fs.store("/a", Buffer.from("1"), { ifAbsent: true });
    expect(await said(fs.store("/a", Buffer.from("2"), { ifAbsent: true }))).toBe("! EEXIST");
    const second = await fs.store("/a", Buffer.from("2"), { ifVersion: version });
    expect(await said(fs.store("/a", Buffer.from("3"), { ifVersion: version }))).toBe("! EBUSY");
    expect(await said(fs.unlink("/a", { ifVersion: version }))).toBe("! EBUSY");
    expect(await fs.load("/a")).toEqual({ bytes: Uint8Array.from(Buffer.from("2")), ...second });
    await fs.unlink("/a", { ifVersion: second.version ?? "" });
    expect(await said(fs.stat("/a"))).toBe("! ENOENT");
  });

  it("names what no backend can, and what this one may not", async () => {
    const fs = nodeFilesystem(new MemoryBackend());
    await fs.writeFile("/a", "x");
    const missing = { chmod: 0, chown: 0, link: 0, symlink: 0, utimes: 0, truncate: 0, open: 0 };
    for (const name of Object.keys(missing) as Array<keyof typeof missing>)
      await expect(fs[name]("/a")).rejects.toMatchObject({
        code: "EPERM",
        syscall: name === "utimes" ? "utime" : name,
        cause: { code: "unsupported" },
      });
    expect(await said(fs.readlink("/a"))).toBe("! EINVAL");
    const frozen = nodeFilesystem(readOnly(new MemoryBackend()));
    expect(await said(frozen.writeFile("/a", "x"))).toBe("! EACCES");
    const signal = AbortSignal.abort();
    await expect(fs.readFile("/a", { signal })).rejects.toMatchObject({
      name: "AbortError",
      code: "ABORT_ERR",
      cause: { code: "aborted" },
    });
  });
});

describe("beyond Node", () => {
  it("lists with stats and passes the signal of all calls on", async () => {
    const controller = new AbortController();
    const fs = nodeFilesystem(new MemoryBackend(), { signal: () => controller.signal });
    await fs.writeFile("/d/a", "one");
    await fs.mkdir("/d/v");
    const listed = await fs.list("/d");
    expect((await fs.find("/d/a"))?.size).toBe(3);
    expect([await fs.find("/none"), await fs.find("/d/a/below")]).toEqual([undefined, undefined]);
    expect(listed.map(({ name, stats }) => [name, stats?.isFile(), stats?.size])).toEqual([
      ["a", true, 3],
      ["v", false, 0],
    ]);
    controller.abort();
    const calls = [
      fs.readFile("/d/a"),
      fs.list("/d"),
      fs.rm("/d", { recursive: true }),
      fs.rename("/d/a", "/b"),
      fs.copyFile("/d/a", "/b"),
      fs.unlink("/d/a"),
    ];
    for (const call of calls) expect(await said(call)).toBe("! ABORT_ERR");
  });
});

describe("the errors", () => {
  for (const code of ERROR_CODES) {
    it(`${code} has a name and a number of the system`, () => {
      const error = errnoError(failure(code, "/a"), "open", "a");
      expect(error.code).toBe(ERRNO_OF_CODE[code]);
      expect(error.cause).toMatchObject({ code, message: failure(code, "/a").error });
      if (code === "aborted") return;
      const number: unknown = Reflect.get(constants.errno, ERRNO_OF_CODE[code]);
      expect(error.errno).toBe(-Number(number));
      expect(error.message).toMatch(new RegExp(`^${ERRNO_OF_CODE[code]}: .+, open 'a'$`));
    });
  }
});

/** What programs call, as they call it. */
interface Used {
  readFile(path: string): Promise<Buffer>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  writeFile(
    path: string,
    data: string | Uint8Array,
    options?: { encoding?: BufferEncoding; flag?: "w" | "wx" | "a"; signal?: AbortSignal },
  ): Promise<void>;
  appendFile(path: string, data: string | Uint8Array): Promise<void>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<Pick<NodeStats, StatsUsed>>;
  realpath(path: string): Promise<string>;
  mkdir(path: string, options: { recursive: true }): Promise<string | undefined>;
  rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  cp(from: string, to: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
}
type StatsUsed =
  | "isFile"
  | "isDirectory"
  | "isSymbolicLink"
  | "size"
  | "mode"
  | "mtime"
  | "mtimeMs";

it("fits the types of node:fs/promises", () => {
  type Same = "access" | "copyFile" | "rename" | "rmdir" | "unlink";
  expectTypeOf<NodeFilesystem>().toExtend<Pick<typeof realFs, Same>>();
  expectTypeOf<typeof realFs>().toExtend<Used>();
  expectTypeOf<NodeFilesystem>().toExtend<Used>();
});

it.each([
  ["truncated", { truncated: true }, "! EFBIG"],
  ["with something left out", { warnings: ["A mount is away."] }, "! EIO"],
])("no listing that is %s looks like a whole one", async (_, partial, wanted) => {
  const memory = new MemoryBackend();
  await memory.write("/d/a", "a");
  const part = interceptBackend(memory, async ({ method }, proceed) => {
    const result = await proceed();
    return method === "ls" ? Object.assign({}, result, partial) : result;
  });
  const fs = nodeFilesystem(part);
  expect(await said(fs.readdir("/d"))).toBe(wanted);
  expect(await said(fs.readdir("/", { recursive: true }))).toBe(wanted);
  expect(await said(fs.list("/d"))).toBe(wanted);
});
