import { FilesystemBackend as PeerFilesystem } from "deepagents";
import { adaptBackendProtocol, MemoryBackend, type Filesystem } from "@fs/protocol";
import {
  inputSchemaOf,
  noKnownFiles,
  outputSchemaOf,
  TOOLS,
  toolsFor,
  toolSettings,
} from "@fs/tools";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seeded, session } from "./support.js";

describe("stat", () => {
  it("gives size, time and version, and no content", async () => {
    const backend = await seeded({ "/docs/a.md": "alpha\n" });
    const { structured, content } = await session(backend).call("stat", { path: "/docs/a.md" });
    expect(structured).toMatchObject({ path: "/docs/a.md", size: 6 });
    expect(JSON.stringify(content)).not.toContain("alpha");
    expect(await session(backend).text("stat", { path: "/docs" })).toContain("is_dir: true");
    expect(await session(backend).call("stat", { path: "/no" })).toMatchObject({
      failed: true,
      code: "not_found",
    });
  });

  it("works over a backend that has no stat", async () => {
    const root = await mkdtemp(join(tmpdir(), "fs-tools-"));
    try {
      const peer = new PeerFilesystem({ rootDir: root, virtualMode: true });
      await peer.write("/d/a.txt", "four");
      const files = session(adaptBackendProtocol(peer));
      expect((await files.call("stat", { file_path: "/d/a.txt" })).structured).toMatchObject({
        size: 4,
      });
      expect((await files.call("stat", { file_path: "/d" })).structured).toMatchObject({
        is_dir: true,
      });
      expect((await files.call("stat", { file_path: "/" })).structured).toMatchObject({
        path: "/",
      });
      expect((await files.call("stat", { file_path: "/d/b" })).code).toBe("not_found");
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

describe("tree", () => {
  it("shows what is below, level by level", async () => {
    const backend = await seeded({ "/a/b/c/d.txt": "x", "/a/e.txt": "xy", "/z.txt": "" });
    const { text, call } = session(backend);
    expect(await text("tree", {})).toBe("a/\n  b/\n    c/\n  e.txt (2 B)\nz.txt (0 B)");
    expect(await text("tree", { depth: "1" })).toBe("a/\nz.txt (0 B)");
    expect(await text("tree", { path: "/a/b/c" })).toBe("d.txt (1 B)");
    expect((await call("tree", { path: "/no" })).code).toBe("not_found");
    expect((await call("tree", { depth: 0 })).code).toBe("invalid_argument");
    expect((await call("tree", { depth: 1.5 })).code).toBe("invalid_argument");
  });

  it("ends a large tree at its widest, says so, and asks no directory more than that", async () => {
    const files: Record<string, string> = {};
    for (let n = 0; n < 1100; n++) files[`/many/d${n}/f`] = "";
    const backend = await seeded(files);
    let listings = 0;
    const counting: Filesystem = new Proxy(backend, {
      get: (target, key) =>
        key === "ls" ? (path: string) => (listings++, target.ls(path)) : Reflect.get(target, key),
    });
    const answer = await session(counting).call("tree", { depth: 5 });
    expect(answer.structured).toMatchObject({ truncated: true });
    expect(listings).toBe(2);
  });

  it("shows at most 1,000 entries, also of one directory", async () => {
    const backend = new MemoryBackend();
    const files = (count: number): Array<[string, Uint8Array]> =>
      Array.from({ length: count }, (_, n) => [`/f${n}`, new Uint8Array()]);
    await backend.uploadFiles(files(1000));
    const { call, text } = session(backend);
    expect((await call("tree", {})).structured).toMatchObject({ entries: 1000, truncated: false });
    await backend.uploadFiles(files(3000));
    expect((await call("tree", {})).structured).toMatchObject({ entries: 1000, truncated: true });
    expect(await text("tree", {})).toMatch(/\n\[1000 entries shown, there are more; [^\n]*$/);
  });
});

describe("read_files", () => {
  it("reads several, and says of each that fails why", async () => {
    const backend = await seeded({ "/a": "one\n", "/b": "two\n" });
    const { call, text } = session(backend);
    expect(await text("read_files", { paths: ["/a", "/no", "/b"] })).toMatch(
      /^=== \/a\n1→one\n=== \/no\nError: .*\n=== \/b\n1→two$/,
    );
    const some = await call("read_files", { file_paths: ["/a", "/no"] });
    expect(some.failed).toBeUndefined();
    expect(some.structured).toMatchObject({ files: [{ path: "/a" }, { code: "not_found" }] });
    expect(await call("read_files", { file_paths: ["/no", "/no2"] })).toMatchObject({
      failed: true,
      code: "not_found",
    });
    expect((await call("read_files", { file_paths: [] })).code).toBe("invalid_argument");
    expect((await call("read_files", { file_paths: Array(51).fill("/a") })).code).toBe(
      "invalid_argument",
    );
    expect(await text("read_files", { path: "/a" })).toContain("1→one");
  });

  it("shares the tokens of one answer", async () => {
    const long = "word ".repeat(200);
    const backend = await seeded({ "/a": `${long}\n`.repeat(50), "/b": `${long}\n`.repeat(50) });
    const answer = await session(backend, { answerTokens: 2000 }).text("read_files", {
      paths: ["/a", "/b"],
    });
    expect(toolSettings().countTokens(answer)).toBeLessThan(2400);
    expect(answer.match(/continue at offset/g)).toHaveLength(2);
  });
});

describe("copy_file and move_file", () => {
  it("keep what is at the destination unless told", async () => {
    const backend = await seeded({ "/a": "a", "/b": "b" });
    const { call } = session(backend);
    expect((await call("copy_file", { source: "/a", destination: "/c" })).structured).toMatchObject(
      { path: "/c", source: "/a" },
    );
    expect((await call("copy_file", { source: "/a", destination: "/b" })).code).toBe(
      "already_exists",
    );
    expect((await backend.read("/b")).content).toBe("b");
    await call("move_file", { from: "/a", to: "/b", overwrite: true });
    expect((await backend.read("/b")).content).toBe("a");
    expect((await backend.read("/a")).code).toBe("not_found");
  });
});

describe("an edit", () => {
  const edit = { file_path: "/a", old_string: "one", new_string: "two" };

  it("tried only shows its diff and changes nothing", async () => {
    const backend = await seeded({ "/a": "one\n" });
    const { call, text } = session(backend);
    expect(await text("edit_file", { ...edit, dry_run: true })).toContain("-one\n+two");
    expect((await call("edit_file", { ...edit, old_string: "no", dry_run: true })).code).toBe(
      "no_match",
    );
    const edits = [{ old_string: "o", new_string: "" }];
    expect(
      (await call("multi_edit", { file_path: "/a", edits, dry_run: true })).structured,
    ).toMatchObject({ occurrences: 1 });
    expect((await call("edit_file", { ...edit, file_path: "/no", dry_run: true })).code).toBe(
      "not_found",
    );
    expect((await call("edit_file", { ...edit, if_version: "stale", dry_run: true })).code).toBe(
      "conflict",
    );
    expect((await backend.read("/a")).content).toBe("one\n");
  });

  it("of more lines than can be compared has no diff, tried or done", async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `row ${n} old value ${n * 7}\n`);
    const backend = await seeded({ "/a": lines.join("") });
    const { call, text } = session(backend);
    await call("read_file", { file_path: "/a" });
    const many = { file_path: "/a", old_string: "old", new_string: "new", replace_all: true };
    expect(await text("edit_file", { ...many, dry_run: true })).toBe(
      "Would replace 20000 in /a; it is too long for a diff.",
    );
    const done = await call("edit_file", many);
    expect(done.content).toEqual([{ type: "text", text: "Edited /a (20000 replaced)" }]);
    expect(done.structured).not.toHaveProperty("diff");
    const one = await call("edit_file", { ...many, old_string: "row 7 new", new_string: "7" });
    expect(one.structured?.["diff"]).toContain("-row 7 new value 49\n+7 value 49\n");
  });

  it("needs a file that was seen, or its version", async () => {
    const backend = await seeded({ "/a": "one\n" });
    const { call } = session(backend, {}, noKnownFiles);
    expect(await call("edit_file", edit)).toMatchObject({ failed: true, code: "conflict" });
    const version = (await call("read_file", { path: "/a" })).structured?.["version"];
    expect(typeof version).toBe("string");
    expect((await call("edit_file", { ...edit, if_version: version })).failed).toBeUndefined();
    expect(await call("edit_file", { ...edit, if_version: version })).toMatchObject({
      failed: true,
      code: "conflict",
    });
    expect((await backend.read("/a")).content).toBe("two\n");
  });

  it("and a deletion are refused when the version is another", async () => {
    const backend = await seeded({ "/a": "one\n" });
    const { call } = session(backend);
    expect((await call("delete", { path: "/a", if_version: "stale" })).code).toBe("conflict");
    expect((await call("write_file", { path: "/a", content: "x", if_version: "stale" })).code).toBe(
      "conflict",
    );
    expect((await backend.read("/a")).content).toBe("one\n");
  });
});

describe("what grep found, for a program,", () => {
  const files = { "/a.txt": "x\nhit 1\nhit 2\nhit 3\n", "/b.txt": "hit 4\n" };
  const found = async (args: object, answerTokens = 1000): Promise<unknown> => {
    const { call } = session(await seeded(files), { structuredText: true, answerTokens });
    const { structured } = await call("grep", { pattern: "hit", ...args });
    expect(structured).toMatchObject({ matches: 4, truncated: false });
    return structured?.["found"];
  };

  it("is what the lines of the answer say, in every mode", async () => {
    expect(await found({})).toEqual([{ path: "/a.txt" }, { path: "/b.txt" }]);
    expect(await found({ output_mode: "count" })).toEqual([
      { path: "/a.txt", count: 3 },
      { path: "/b.txt", count: 1 },
    ]);
    const matches = [
      { path: "/a.txt", line: 2, text: "hit 1" },
      { path: "/a.txt", line: 3, text: "hit 2" },
      { path: "/a.txt", line: 4, text: "hit 3" },
      { path: "/b.txt", line: 1, text: "hit 4" },
    ];
    expect(await found({ output_mode: "content" })).toEqual(matches);
    expect(await found({ output_mode: "content", context: 1 })).toEqual(matches);
  });

  it("ends where the answer does", async () => {
    expect(await found({}, 1)).toEqual([{ path: "/a.txt" }]);
    // The heading of the first file is all that fits.
    expect(await found({ output_mode: "content" }, 1)).toEqual([]);
  });
});

describe("a long line", () => {
  it("is read to its end by following the notes", async () => {
    const line = `${"😀é".repeat(9000)}end`;
    const backend = await seeded({ "/long": `${line}\nnext\n` });
    const { text } = session(backend, { answerTokens: 3000 });
    let column = 0;
    let seen = "";
    for (let page = 0; page < 100; page++) {
      const answer = await text("read_file", { path: "/long", column, limit: 1 });
      seen += [...answer.matchAll(/^ *1(?:\.\d+)?→(.*)$/gm)].map((match) => match[1]).join("");
      const next = /column (\d+)/.exec(answer);
      if (next === null) break;
      expect(Number(next[1])).toBeGreaterThan(column);
      column = Number(next[1]);
    }
    expect(seen).toBe(line);
    expect((await session(backend).call("read_file", { path: "/long", column: -1 })).code).toBe(
      "invalid_argument",
    );
  });

  it("is clipped around the match, wherever it is", async () => {
    const backend = await seeded({ "/long": `${"x".repeat(50_000)}Needle${"y".repeat(9)}\n` });
    const { text } = session(backend);
    const args = { pattern: "needle", ignore_case: true, output_mode: "content" };
    const answer = await text("grep", args);
    expect(answer).toContain("xNeedleyyyyyyyyy [line of 50015 characters clipped");
    const column = Number(/shown from column (\d+)/.exec(answer)?.[1]);
    expect(await text("read_file", { path: "/long", column })).toContain("Needleyyyyyyyyy");
  });
});

describe("any call", () => {
  it("is answered, whatever the backend throws and the operator's listener does", async () => {
    for (const thrown of [null, undefined, "text", 7, new Error("secret /srv/x"), {}]) {
      const backend: Filesystem = new Proxy(new MemoryBackend(), {
        get: (target, key) =>
          key === "ls"
            ? () => {
                throw thrown;
              }
            : Reflect.get(target, key),
      });
      const heard: unknown[] = [];
      const onError = (error: unknown): void => {
        heard.push(error);
      };
      const answer = await session(backend, { onError }).call("ls", {});
      expect(answer).toMatchObject({ failed: true, code: "unavailable" });
      expect(JSON.stringify(answer)).not.toContain("secret");
      expect(heard).toEqual([thrown]);
    }
  });

  it("with arguments that are none says which", async () => {
    const { call, text } = session(await seeded({}));
    for (const args of [undefined, null, 7, [], "x", {}, { file_path: {} }])
      expect((await call("read_file", args)).code).toBe("invalid_argument");
    expect(await text("read_file", {})).toContain("'file_path'");
  });

  it("answers what its output schema says", async () => {
    const backend = await seeded({ "/a": "one\n" });
    const { call } = session(backend, { structuredText: true });
    const calls = {
      ls: {},
      tree: {},
      stat: { path: "/a" },
      read_file: { path: "/a" },
      read_files: { paths: ["/a"] },
      glob: { pattern: "*" },
      grep: { pattern: "o" },
      copy_file: { from: "/a", to: "/b" },
      move_file: { from: "/b", to: "/c" },
      edit_file: { path: "/a", old_string: "one", new_string: "two" },
      multi_edit: { path: "/a", edits: [{ old_string: "two", new_string: "three" }] },
      write_file: { path: "/d", content: "" },
      delete: { path: "/d" },
    } as const;
    for (const tool of toolsFor(backend)) {
      const answer = await call(tool.name, Reflect.get(calls, tool.name));
      const { success } = tool.outputSchema.safeParse(answer.structured);
      expect([tool.name, answer.failed, success]).toEqual([tool.name, undefined, true]);
      for (const name of outputSchemaOf(tool).required ?? [])
        expect(answer.structured).toHaveProperty(name);
    }
    const read = await call("read_file", { path: "/a" });
    expect(read.structured).toMatchObject({ content: "three\n", totalLines: 1 });
  });
});

describe("the choice of tools", () => {
  it("is what the backend can, and only readers where nothing may change", async () => {
    const backend = await seeded({});
    expect(toolsFor(backend).map(({ name }) => name)).not.toContain("execute");
    expect(toolsFor(backend)).toHaveLength(13);
    expect(toolsFor(backend, { readOnly: true })).toHaveLength(7);
    expect(toolsFor(backend, { names: ["grep", "ls"] }).map(({ name }) => name)).toEqual([
      "ls",
      "grep",
    ]);
  });
});

describe("execute", () => {
  it("hands on no time-out, one in seconds, and one of none only where there is no maximum", async () => {
    const heard: unknown[] = [];
    const backend = Object.assign(new MemoryBackend(), {
      id: "shell",
      executeDescription: "Runs in /srv.",
      execute: (_command: string, options: object) => {
        heard.push(options);
        return { output: "", exitCode: 0, truncated: false };
      },
    });
    const { call, text } = session(backend);
    await call("execute", { command: "true" });
    await call("execute", { command: "true", timeout: null });
    await call("execute", { command: "true", timeout: "1.5" });
    for (const timeout of [-1, 0, "0", 3601, "soon"])
      expect((await call("execute", { command: "true", timeout })).code).toBe("invalid_argument");
    expect(await text("execute", { command: "true", timeout: 0 })).toBe(
      "Error: 'timeout' must be above 0 and at most 3600 seconds.",
    );
    const unbounded = session(backend, { maxExecuteTimeout: Infinity });
    await unbounded.call("execute", { command: "true", timeout: 0 });
    await unbounded.call("execute", { command: "true", timeout: 100_000 });
    expect((await unbounded.call("execute", { command: "true", timeout: -1 })).failed).toBe(true);
    expect(heard).toEqual([{}, {}, { timeout: 1.5 }, { timeout: 0 }, { timeout: 100_000 }]);
    expect(JSON.stringify(inputSchemaOf(TOOLS.execute))).not.toContain("none");
    expect(TOOLS.execute.description).not.toContain("/srv");
  });
});

describe("settings", () => {
  it("that are wrong are refused", () => {
    for (const wrong of [
      { answerTokens: 0 },
      { answerTokens: Infinity },
      { answerTokens: Number.NaN },
      { maxBinaryBytes: "1" },
      { readBeforeEdit: "no" },
      { onError: "log" },
      { answerToken: 1 },
    ])
      expect(() => toolSettings(wrong as never)).toThrow(TypeError);
    expect(toolSettings({ grepMaxCount: Infinity, answerTokens: undefined })).toMatchObject({
      grepMaxCount: Infinity,
      answerTokens: 20_000,
    });
  });
});
