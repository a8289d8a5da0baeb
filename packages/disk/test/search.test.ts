import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildProjects } from "@fs/test-servers/built";
import { beforeAll, describe, expect, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";
import { temporaryRoot } from "./temporary-root.js";

// The search thread runs the compiled package.
beforeAll(() => buildProjects("packages/disk"));

/** A tree with everything that search programs treat in ways of their own. */
function oddTree(): string {
  const root = temporaryRoot();
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  put("a.txt", "needle one\nnothing\nand a Needle\r\nNEEDLE at the end");
  put("a/x.txt", "needle\n");
  put("a-b.txt", "needle\n");
  put("a.b/c.txt", "needle\nneedle needle\n");
  put(".hidden/.deep.txt", "needle\n");
  put(".gitignore", "ignored/\n*.log\n");
  put("ignored/x.txt", "needle\n");
  put("x.log", "needle\n");
  put(".git/config", "needle\n");
  put("node_modules/p/index.js", "needle\n");
  put("binary.bin", Buffer.concat([Buffer.from("needle\n"), Buffer.from([0]), Buffer.from("x")]));
  put("late-nul.txt", Buffer.concat([Buffer.from("needle\n".repeat(50_000)), Buffer.from([0])]));
  put("latin1.txt", Buffer.from("needle caf\xe9\n", "latin1"));
  put("utf16.txt", Buffer.from("\ufeffneedle\n", "utf16le"));
  put("bom.txt", "\ufeffneedle with a mark\n");
  put("photo.png", "needle\n");
  put("picture.svg", "<svg>needle</svg>\n");
  put("kelvin.txt", "\u212aelvin and \u0130stanbul\nkelvin istanbul\n");
  put("sharp.txt", "STRASSE straße\n");
  put("dots.txt", "a.b*c[d]\nabbbcd\n");
  put("emoji-😀.txt", "needle 😀 é\n");
  put("with: colon: 3.txt", "needle\n");
  put("long.txt", `${"x".repeat(300_000)}needle${"y".repeat(300_000)}\nneedle\n`);
  put("big.txt", `${"filler line\n".repeat(500_000)}needle far down\n${"é".repeat(100)}\nneedle\n`);
  put("empty.txt", "");
  symlinkSync("a.txt", join(root, "link.txt"));
  symlinkSync(".", join(root, "loop"));
  return root;
}

describe("ripgrep, the thread and the generic search answer alike", () => {
  const root = { path: "" };
  test("on an odd tree", async () => {
    root.path = oddTree();
    const rootDir = root.path;
    const ways = [
      new FilesystemBackend({ rootDir }),
      new FilesystemBackend({ rootDir, ripgrep: false }),
      new FilesystemBackend({ rootDir, ripgrep: "/nowhere/rg" }),
    ];
    const generic = new FilesystemBackend({ rootDir }).withoutHooks();
    const patterns = [
      "needle",
      "NEEDLE",
      "kelvin",
      "istanbul",
      "STRASSE",
      "a.b*c[d]",
      "é",
      "😀",
      "-",
      "no such text",
      "İ",
    ];
    for (const pattern of patterns) {
      for (const options of [{}, { ignoreCase: true }]) {
        const expected = await generic.grep(pattern, "/", null, null, options);
        expect(expected.error).toBeUndefined();
        for (const way of ways) {
          expect(await way.grep(pattern, "/", null, null, options)).toEqual(expected);
        }
      }
    }
    const searches: Array<[string, string | null, number | null]> = [
      ["/", null, 1],
      ["/", null, 3],
      ["/", null, 1000],
      ["/", "*.txt", null],
      ["/", "*.{txt,js}", null],
      ["/", "a*/**", null],
      ["/", "a/*.txt", 1],
      ["/", "/a.txt", null],
      ["/", "missing/*.txt", null],
      ["/", "loop/*.txt", null],
      ["/a.txt", null, null],
      ["/a.txt", "*.md", null],
      ["/a", "*.txt", null],
      ["/a", "/a.b/*", null],
      ["/gone", null, null],
      ["/link.txt", null, null],
      ["/loop", null, null],
      ["/photo.png", null, null],
      ["/big.txt", null, 1],
    ];
    for (const [path, glob, cap] of searches) {
      const expected = await generic.grep("needle", path, glob, cap);
      for (const way of ways) expect(await way.grep("needle", path, glob, cap)).toEqual(expected);
    }
    const regex = { regex: true };
    const expected = await generic.grep("ne+dle (one|far)", "/", null, null, regex);
    expect(expected.matches).toHaveLength(2);
    for (const way of ways) {
      expect(await way.grep("ne+dle (one|far)", "/", null, null, regex)).toEqual(expected);
    }
  });

  test("every character that JavaScript lower-cases to ASCII is found", async () => {
    const rootDir = temporaryRoot();
    const odd: string[] = [];
    for (let code = 0x80; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      // oxlint-disable-next-line no-control-regex
      const ascii = /[\u0000-\u007f]/.exec(character.toLowerCase())?.[0];
      if (ascii !== undefined) odd.push(character);
    }
    expect(odd.length).toBeGreaterThan(0);
    for (const [index, character] of odd.entries()) {
      writeFileSync(join(rootDir, `${index}.txt`), `x${character}\n`);
    }
    const backend = new FilesystemBackend({ rootDir });
    for (const character of odd) {
      const letter = `x${character.toLowerCase().slice(0, 1)}`;
      const options = { ignoreCase: true };
      const expected = await backend.withoutHooks().grep(letter, "/", null, null, options);
      expect(expected.matches?.length).toBeGreaterThan(0);
      expect(await backend.grep(letter, "/", null, null, options)).toEqual(expected);
    }
  });

  test.skipIf(process.getuid?.() === 0)("where something cannot be read", async () => {
    const rootDir = temporaryRoot();
    mkdirSync(join(rootDir, "closed"));
    writeFileSync(join(rootDir, "closed/x.txt"), "needle\n");
    writeFileSync(join(rootDir, "open.txt"), "needle\n");
    chmodSync(join(rootDir, "closed"), 0);
    for (const options of [{}, { ripgrep: false as const }]) {
      const { matches } = await new FilesystemBackend({ rootDir, ...options }).grep("needle");
      expect(matches).toEqual([{ path: "/open.txt", line: 1, text: "needle" }]);
    }
    chmodSync(join(rootDir, "closed"), 0o700);
  });

  test("an aborted search answers so, with every way", async () => {
    for (const options of [{}, { ripgrep: false as const }]) {
      const backend = new FilesystemBackend({ rootDir: root.path || temporaryRoot(), ...options });
      const controller = new AbortController();
      const answer = backend.grep("needle", "/", null, null, { signal: controller.signal });
      controller.abort();
      expect(await answer).toMatchObject({ code: "aborted" });
    }
  });
});
