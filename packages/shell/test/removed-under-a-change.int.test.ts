import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { LocalProcessSandbox } from "./local-process-sandbox.js";
import { type Others, sandboxWith, underTool } from "./sandbox-with-tools.js";

const encoder = new TextEncoder();

const changes = {
  write: { tool: "ln", run: (sandbox) => sandbox.write("/d/a.txt", "new") },
  upload: {
    tool: "mv",
    run: async (sandbox) => (await sandbox.uploadFiles([["/d/a.txt", encoder.encode("new")]]))[0],
  },
  "upload of several": {
    tool: "mv",
    run: async (sandbox) => {
      const bytes = encoder.encode("new");
      const [stored] = await sandbox.uploadFiles([
        ["/d/a.txt", bytes],
        ["/e/b.txt", bytes],
      ]);
      return stored;
    },
  },
  move: { tool: "ln", run: (sandbox) => sandbox.move("/from.txt", "/d/a.txt") },
  "move over": {
    tool: "mv",
    run: (sandbox) => sandbox.move("/from.txt", "/d/a.txt", { overwrite: true }),
  },
  "move of a directory": { tool: "mv", run: (sandbox) => sandbox.move("/from", "/d/a") },
  copy: { tool: "cp", run: (sandbox) => sandbox.copy("/from.txt", "/d/a.txt") },
} satisfies Record<
  string,
  { tool: string; run: (sandbox: LocalProcessSandbox) => Promise<unknown> }
>;

/** A sandbox of `/from.txt` and `/from/a.txt`; others remove `/d`, if nothing else is given, under the named tool. */
function begin(tool: string, others: Others): [LocalProcessSandbox, string] {
  const [sandbox, rootDir] = sandboxWith({
    [tool]: underTool(tool, { before: '/bin/rm -rf "$DIR"', ...others }),
  });
  mkdirSync(join(rootDir, "from"));
  writeFileSync(join(rootDir, "from.txt"), "new");
  writeFileSync(join(rootDir, "from", "a.txt"), "new");
  return [sandbox, rootDir];
}

const MADE_AGAIN = 'mkdir -p "$DIR"';
const each = Object.entries(changes).flatMap(([name, change]) => [
  [name, "", change] as const,
  [name, ", and made again,", { ...change, after: MADE_AGAIN }] as const,
]);

test.each(each)(
  "%s begins again where its directory is removed%s under it",
  async (name, _, { tool, run, ...others }) => {
    const [sandbox, rootDir] = begin(tool, { times: 2, ...others });
    expect((await run(sandbox)) as object).toMatchObject({ path: expect.any(String) });
    const stored = name === "move of a directory" ? "d/a/a.txt" : "d/a.txt";
    expect(readFileSync(join(rootDir, stored), "utf8")).toBe("new");
  },
);

test.each(each)(
  "%s is refused where its directory is removed%s under it each time",
  async (_name, _again, { tool, run, ...others }) => {
    const [sandbox, rootDir] = begin(tool, { times: 1000, ...others });
    expect((await run(sandbox)) as object).toMatchObject({ code: "conflict" });
    expect(readFileSync(join(rootDir, "from.txt"), "utf8")).toBe("new");
  },
);

const relocations = Object.entries(changes).filter(([name]) => /^(move|copy)/.test(name));
const ASIDE = 'mkdir "$ROOT/aside"; /bin/mv "$ROOT"/from* "$ROOT/aside"';

test.each(relocations)(
  "%s finds nothing where its source is removed under it",
  async (_, { tool, run }) => {
    const [sandbox] = begin(tool, { times: 1, before: ASIDE });
    expect((await run(sandbox)) as object).toMatchObject({ code: "not_found" });
    expect((await sandbox.glob("d/**")).files).toEqual([]);
  },
);

test.each(relocations)(
  "%s begins again where its source is removed, and comes back, under it",
  async (_, { tool, run }) => {
    const after = '/bin/mv "$ROOT"/aside/* "$ROOT"; rmdir "$ROOT/aside"';
    const [sandbox] = begin(tool, { times: 1, before: ASIDE, after });
    expect((await run(sandbox)) as object).toMatchObject({ path: expect.any(String) });
    expect((await sandbox.glob("d/**")).files).toHaveLength(1);
  },
);

test("an empty directory that is gone when it is to be removed was none to remove", async () => {
  const [sandbox, rootDir] = sandboxWith({ rmdir: ['/bin/rmdir "$@"', 'exec /bin/rmdir "$@"'] });
  mkdirSync(join(rootDir, "d"));
  expect(await sandbox.delete("/d")).toMatchObject({ code: "not_found" });
});

/** Does other things in place of the removal of a directory. */
const removal = (...lines: readonly string[]): string[] => [
  '[ "$1" = -rf ] || exec /bin/rm "$@"',
  ...lines,
];
const NEW_FILE = 'mkdir -p "$DIR"; echo new >"$DIR/a.txt"';
/** Of a mounted directory. */
const NO_OTHER_NAME = ['[ "$1" != "$DIR" ] || exit 1', 'exec /bin/mv "$@"'];

test.each([
  { where: "", scripts: { rm: removal(NEW_FILE, 'exec /bin/rm "$@"') } },
  {
    where: ", also where it can have no other name while it is removed",
    // What `rm` says of a directory that has another file when it is to go, and what it has done by then.
    scripts: {
      mv: NO_OTHER_NAME,
      rm: removal('/bin/rm -rf "$DIR"/*', NEW_FILE, 'exec rmdir "$DIR"'),
    },
  },
])(
  "a removal is acknowledged, and leaves what was stored where it had been (D2)$where",
  async ({ scripts }) => {
    const [sandbox, rootDir] = sandboxWith(scripts);
    mkdirSync(join(rootDir, "d"));
    writeFileSync(join(rootDir, "d", "a.txt"), "old");
    writeFileSync(join(rootDir, "d", "b.txt"), "old");
    expect(await sandbox.delete("/d")).toEqual({ path: "/d" });
    expect(readFileSync(join(rootDir, "d", "a.txt"), "utf8")).toBe("new\n");
    expect(readdirSync(rootDir)).toEqual(["d"]);
    expect(readdirSync(join(rootDir, "d"))).toEqual(["a.txt"]);
  },
);

const NOT_ALLOWED = "echo \"rm: cannot remove '$DIR/a.txt': Permission denied\" >&2; exit 1";

test.each([
  { where: "", scripts: { rm: removal(NOT_ALLOWED) }, is: { d: "old" } },
  {
    where: " where another directory has its name by then",
    scripts: { rm: removal(NEW_FILE, NOT_ALLOWED) },
    is: { d: "new\n", "d-1": "old" },
  },
  {
    where: " where it can have no other name",
    scripts: { mv: NO_OTHER_NAME, rm: removal(NOT_ALLOWED) },
    is: { d: "old" },
  },
])(
  "a removal that was not allowed is refused, and hides nothing$where",
  async ({ scripts, is }) => {
    const [sandbox, rootDir] = sandboxWith(scripts);
    mkdirSync(join(rootDir, "d"));
    writeFileSync(join(rootDir, "d", "a.txt"), "old");
    const { code, error } = await sandbox.delete("/d");
    expect(code).toBe("permission_denied");
    expect(error).toContain("a part of it may be gone");
    const found = readdirSync(rootDir).map((name) => [
      name,
      readFileSync(join(rootDir, name, "a.txt"), "utf8"),
    ]);
    expect(Object.fromEntries(found)).toEqual(is);
  },
);

test("an edit whose directory is removed before it has stored anything finds no file (D1)", async () => {
  const [sandbox, rootDir] = begin("mv", { times: 1 });
  mkdirSync(join(rootDir, "d"));
  writeFileSync(join(rootDir, "d", "a.txt"), "old");
  expect(await sandbox.edit("/d/a.txt", "old", "new")).toMatchObject({ code: "not_found" });
  expect((await sandbox.glob("d/**")).files).toEqual([]);
});

test("a directory that cannot be made is refused", async () => {
  const [sandbox] = sandboxWith({
    mkdir: ['[ "$2" != "$DIR" ] || exit 1', 'exec /bin/mkdir "$@"'],
  });
  expect(await sandbox.write("/d/a.txt", "new")).toMatchObject({ code: "permission_denied" });
});
