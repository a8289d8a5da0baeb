import { FilesystemBackend as PeerFilesystem } from "deepagents";
import { adaptBackendProtocol, MemoryBackend, type Filesystem } from "@fs/protocol";
import { toolSettings } from "@fs/tools";
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
