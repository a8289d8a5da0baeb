import { FilesystemBackend as PeerFilesystem } from "deepagents";
import { adaptBackendProtocol, type Filesystem } from "@fs/protocol";
import { provenMediaType } from "@fs/tools";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { session } from "./support.js";

/** A foreign backend that answers the lines that were asked for, and nothing about them. */
function unnumbered(lines: readonly string[]): Filesystem {
  const foreign = {
    ls: () => ({ files: [] }),
    glob: () => ({ files: [] }),
    grep: () => ({ matches: [] }),
    readRaw: () => ({ data: { content: lines.join(""), mimeType: "text/plain" } }),
    read: (_path: string, offset = 0, limit = 500) => ({
      content: lines.slice(offset, offset + limit).join(""),
      mimeType: "text/plain",
    }),
    write: (path: string) => ({ path }),
    edit: (path: string) => ({ path }),
  };
  return adaptBackendProtocol(foreign as never);
}

/** The numbers of the lines that are shown when every note is followed. */
async function followed(backend: Filesystem): Promise<number[]> {
  const { text } = session(backend, { answerTokens: 3000 });
  const seen: number[] = [];
  let offset = 0;
  for (let page = 0; page < 100; page++) {
    const answer = await text("read_file", { file_path: "/a.txt", offset });
    seen.push(...[...answer.matchAll(/^ *(\d+)→line/gm)].map((match) => Number(match[1])));
    const next = /at offset (\d+)\]$/.exec(answer);
    if (next === null) break;
    expect(Number(next[1])).toBeGreaterThan(offset);
    offset = Number(next[1]);
  }
  return seen;
}

describe("a page of a backend that numbers no lines", () => {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
  const long = numbers(60).map((n) => `line ${n} ${"word ".repeat(400)}\n`);

  it("that is cut says where the file goes on", async () => {
    expect(await followed(unnumbered(long))).toEqual(numbers(60));
  });

  it("of as many lines as were asked for says that there may be more", async () => {
    const short = numbers(150).map((n) => `line ${n}\n`);
    expect(await followed(unnumbered(short))).toEqual(numbers(150));
    const { text } = session(unnumbered(short));
    expect(await text("read_file", { file_path: "/a.txt" })).toMatch(
      /\n\[lines 1–100; there may be more at offset 100\]$/,
    );
    expect(await text("read_file", { file_path: "/a.txt", offset: 100 })).not.toContain("[");
  });

  it("is read to its end over a disk of deepagents", async () => {
    const root = await mkdtemp(join(tmpdir(), "fs-tools-"));
    try {
      await writeFile(join(root, "a.txt"), long.join(""));
      const peer = new PeerFilesystem({ rootDir: root, virtualMode: true });
      expect(await followed(adaptBackendProtocol(peer))).toEqual(numbers(60));
    } finally {
      await rm(root, { recursive: true });
    }
  });
});

describe("the media type that bytes prove", () => {
  const box = (brand: string): string => `\0\0\0\x18ftyp${brand}\0\0\0\0`;

  it.each([
    ["\0\0\x01\xba\x44", "video/mpeg"],
    ["\0\0\x01\xb3\x14", "video/mpeg"],
    [box("isom"), "video/mp4"],
    [box("mp42"), "video/mp4"],
    [box("M4V "), "video/mp4"],
    [box("qt  "), "video/quicktime"],
    [box("M4A "), "audio/mp4"],
    ["\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\0\0", undefined],
    [box("heic"), undefined],
    [box("mif1"), undefined],
    [box("avif"), undefined],
  ])("%j is %s", (head, type) => {
    expect(provenMediaType(Buffer.from(head, "latin1"))).toBe(type);
  });
});
