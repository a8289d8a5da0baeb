import { execFileSync } from "node:child_process";
import { linkSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FilesystemBackend } from "@fs/disk";
import { snapshot } from "./witness.js";
import {
  link,
  out,
  expectHarmless,
  LIMIT,
  type Place,
  place,
  SECRET,
  SECRET_NAME,
} from "./guarded-place.js";

const LINKS: Array<[string, string, (place: Place) => unknown]> = [
  ["a link to a directory outside", "/l", link("l", out)],
  ["a link to a file outside", "/l", link("l", ({ outside }) => join(outside, SECRET_NAME))],
  ["a relative link outside", "/l", link("l", () => "../root-outside")],
  ["a relative link to a file outside", "/l", link("l", () => `../root-outside/${SECRET_NAME}`)],
  ["a link to the parent of the root", "/l/root-outside", link("l", () => "..")],
  ["a link to the disk's root", "/l/etc", link("l", () => "/")],
  ["a link to /proc/self/root", "/l", link("l", () => "/proc/self/root")],
  ["a link to /proc/self/cwd", "/l", link("l", () => "/proc/self/cwd")],
  ["a link to a descriptor", "/l", link("l", () => "/proc/self/fd/0")],
  ["a link to a device", "/l", link("l", () => "/dev/zero")],
  ["a link to a terminal", "/l", link("l", () => "/dev/tty")],
  ["a dangling link outside", "/l", link("l", ({ outside }) => join(outside, "created-by-attack"))],
  [
    "a dangling link to a deep place outside",
    "/l",
    link("l", ({ outside }) => join(outside, "a/b/c")),
  ],
  ["a link to itself", "/l", link("l", () => "l")],
  ["a path below a dangling link", "/l/x/y", link("l", ({ outside }) => join(outside, "no"))],
  ["a link below a directory", "/sub/l", link("sub/l", out)],
  ["a link with dots that lead outside", "/l", link("l", () => "sub/../../root-outside")],
  [
    "a link whose target has the root as its prefix",
    "/l",
    link("l", ({ root }) => `${root}-outside`),
  ],
  [
    "a link to the root's absolute path and out",
    "/l",
    link("l", ({ root }) => `${root}/../root-outside`),
  ],
  ["a link with a trailing slash", "/l", link("l", ({ outside }) => `${outside}/`)],
  ["a link with doubled slashes", "/l", link("l", ({ outside }) => outside.replaceAll("/", "//"))],
  [
    "a chain of links outside",
    "/c",
    (where) => {
      link("a", out)(where);
      link("b", () => "a")(where);
      link("c", () => "b")(where);
    },
  ],
  [
    "two links that point at each other",
    "/a",
    (where) => {
      link("a", () => "b")(where);
      link("b", () => "a")(where);
    },
  ],
  [
    "a link behind a link inside",
    "/in/l",
    (where) => {
      link("in", () => "sub")(where);
      link("sub/l", out)(where);
    },
  ],
];

describe.each(["reject", "inside"] as const)("with symlinks: %s", (symlinks) => {
  test.each(LINKS)("%s leads nowhere", { timeout: LIMIT }, async (_, path, prepare) => {
    await expectHarmless(path, prepare, { symlinks });
  });
});

describe("on the portable way", () => {
  test.each(LINKS)("%s leads nowhere", { timeout: LIMIT }, async (_, path, prepare) => {
    await expectHarmless(path, prepare, { containment: "best-effort" });
  });
});

const PATHS: Array<[string, string | ((place: Place) => string)]> = [
  ["dots", "/../root-outside"],
  ["dots after a directory", "/sub/../../root-outside"],
  ["dots to a file", `/../root-outside/${SECRET_NAME}`],
  ["many dots", "/../../../../../../../../etc/passwd"],
  ["dots without a leading slash", "../root-outside"],
  ["dots at the end", "/sub/.."],
  ["the host's path", ({ outside }) => outside],
  ["the host's path of a file", ({ outside }) => join(outside, SECRET_NAME)],
  ["the root's own host path", ({ root }) => root],
  ["doubled slashes", "//..//root-outside"],
  ["a NUL byte", "/own.txt\0/../../root-outside"],
  ["a newline", "/own.txt\n/../root-outside"],
  ["a tilde", "~"],
  ["a tilde as a segment", "/~/x"],
  ["a home directory", "~root/.ssh"],
  ["encoded dots", "/%2e%2e/root-outside"],
  ["doubly encoded dots", "/%252e%252e/root-outside"],
  ["overlong-looking dots", "/\u2024\u2024/root-outside"],
  ["fullwidth dots and slashes", "/．．／root-outside"],
  ["a division slash", "/..\u2215root-outside"],
  ["backslashes", "\\..\\root-outside"],
  ["backslashes after a slash", "/..\\..\\root-outside"],
  ["a drive letter", "C:/root-outside"],
  ["a drive letter below the root", "/C:/root-outside"],
  ["a UNC path", "//server/share/x"],
  ["a device path of Windows", "//./pipe/x"],
  ["a file URL", "file:///etc/passwd"],
  ["half of a surrogate pair", "/\ud800"],
  ["an endless name", `/${"n".repeat(100_000)}`],
  ["an endless path", "/d".repeat(100_000)],
  ["a name one byte too long", `/${"é".repeat(128)}`],
  ["shell characters", "/$(touch x)`touch y`;touch z"],
  ["an option of ripgrep", "/--pre=sh"],
  ["a temporary name", `/.fs-disk-${"a".repeat(24)}.tmp`],
  ["an own file as a directory", "/own.txt/x"],
  ["the prototype", "/__proto__/constructor"],
];

test.each(PATHS)("%s in a path lead nowhere", { timeout: LIMIT }, async (_, path) => {
  await expectHarmless(path);
});

describe.skipIf(process.platform === "win32")("a special file hangs nothing:", () => {
  test("a pipe", { timeout: LIMIT }, async () => {
    await expectHarmless("/pipe", ({ root }) => execFileSync("mkfifo", [join(root, "pipe")]));
  });

  test("a pipe in a directory", { timeout: LIMIT }, async () => {
    await expectHarmless("/sub", ({ root }) => execFileSync("mkfifo", [join(root, "sub/pipe")]));
  });

  test("a socket", { timeout: LIMIT }, async () => {
    const server = createServer();
    onTestFinished(() => {
      server.close();
    });
    await expectHarmless("/socket", ({ root }) => {
      return new Promise<void>((resolve) => {
        server.listen(join(root, "socket"), resolve);
      });
    });
  });

  test("a kernel file through a served /proc", { timeout: LIMIT }, async () => {
    const backend = new FilesystemBackend({ rootDir: "/proc/self" });
    expect((await backend.read("/status")).content).toContain("Name:");
    for (const path of [["", "root", "etc", "passwd"].join("/"), "/cwd", "/fd/0", "/exe"])
      expect((await backend.read(path)).code).toBe("permission_denied");
  });
});

test(
  "a hard link is replaced, so its other name keeps its content",
  { timeout: LIMIT },
  async () => {
    const { root, outside } = place();
    linkSync(join(outside, SECRET_NAME), join(root, "hard.txt"));
    const backend = new FilesystemBackend({ rootDir: root });
    expect((await backend.edit("/hard.txt", SECRET, "changed")).error).toBeUndefined();
    expect(readFileSync(join(root, "hard.txt"), "utf8")).toBe("changed");
    expect(readFileSync(join(outside, SECRET_NAME), "utf8")).toBe(SECRET);
  },
);

test("deleting a directory leaves alone what its links point to", { timeout: LIMIT }, async () => {
  const { root, outside } = place();
  link("sub/l", out)({ root, outside });
  link("sub/f", ({ outside: o }) => join(o, SECRET_NAME))({ root, outside });
  const before = snapshot(outside);
  const backend = new FilesystemBackend({ rootDir: root });
  expect((await backend.delete("/sub")).error).toBeUndefined();
  expect((await backend.ls("/")).files?.map(({ path }) => path)).toEqual(["/own.txt"]);
  expect(snapshot(outside)).toEqual(before);
});

test("an odd argument of any kind is answered, not thrown", { timeout: LIMIT }, async () => {
  const backend = new FilesystemBackend({ rootDir: place().root });
  const odd: unknown[] = [
    null,
    undefined,
    0,
    Number.NaN,
    {},
    [],
    Symbol.iterator,
    () => "/x",
    true,
  ];
  for (const value of odd) {
    const path = value as string;
    expect((await backend.read(path)).code).toBe("invalid_path");
    expect((await backend.write(path, "x")).code).toBe("invalid_path");
    expect((await backend.delete(path)).code).toBe("invalid_path");
    expect((await backend.write("/own2.txt", path)).code).toBe("invalid_argument");
    expect((await backend.glob(path)).code).toBe("invalid_pattern");
    expect((await backend.grep(path)).code).toBe("invalid_argument");
  }
});
