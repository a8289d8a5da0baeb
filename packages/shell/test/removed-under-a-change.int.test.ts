import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LocalProcessSandbox } from "./local-process-sandbox.js";

const encoder = new TextEncoder();

/** A sandbox over an empty directory in which one tool is a script of the test's. `$DIR` is `/d` of the sandbox. */
function sandboxWith(tool: string, lines: readonly string[]): [LocalProcessSandbox, string] {
  const rootDir = mkdtempSync(join(tmpdir(), "fs-removed-under-"));
  const tools = mkdtempSync(join(tmpdir(), "fs-tools-"));
  const head = ["#!/bin/sh", `DIR=${rootDir}/d`, `LEFT=${tools}/left`];
  writeFileSync(join(tools, tool), [...head, ...lines, ""].join("\n"));
  chmodSync(join(tools, tool), 0o755);
  writeFileSync(join(tools, "left"), "");
  return [new LocalProcessSandbox({ tools, rootDir }), rootDir];
}

/** Lines that remove `/d` the first so many times that the tool is started. */
const removing = (times: number): string[] => [
  `[ "$(wc -l <"$LEFT")" -ge ${times} ] || { echo >>"$LEFT"; /bin/rm -rf "$DIR"; }`,
];

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

function begin(tool: string, times: number): [LocalProcessSandbox, string] {
  const [sandbox, rootDir] = sandboxWith(tool, [...removing(times), `exec /bin/${tool} "$@"`]);
  mkdirSync(join(rootDir, "from"));
  writeFileSync(join(rootDir, "from.txt"), "new");
  writeFileSync(join(rootDir, "from", "a.txt"), "new");
  return [sandbox, rootDir];
}

test.each(Object.entries(changes))(
  "%s begins again where its directory is removed under it",
  async (name, { tool, run }) => {
    const [sandbox, rootDir] = begin(tool, 2);
    expect((await run(sandbox)) as object).toMatchObject({ path: expect.any(String) });
    const stored = name === "move of a directory" ? "d/a/a.txt" : "d/a.txt";
    expect(readFileSync(join(rootDir, stored), "utf8")).toBe("new");
  },
);

test.each(Object.entries(changes))(
  "%s is refused where its directory is removed under it each time",
  async (_, { tool, run }) => {
    const [sandbox, rootDir] = begin(tool, 1000);
    expect((await run(sandbox)) as object).toMatchObject({ code: "conflict" });
    expect(readFileSync(join(rootDir, "from.txt"), "utf8")).toBe("new");
  },
);

test("a removal is acknowledged, and leaves what was stored where it had been (D2)", async () => {
  const [sandbox, rootDir] = sandboxWith("rm", [
    // What `rm` says of a directory that has another file when it is to go, and what it has done by then.
    '[ "$1" = -rf ] || exec /bin/rm "$@"',
    '/bin/rm -rf "$DIR"/*; echo new >"$DIR/a.txt"; exec rmdir "$DIR"',
  ]);
  mkdirSync(join(rootDir, "d"));
  writeFileSync(join(rootDir, "d", "a.txt"), "old");
  expect(await sandbox.delete("/d")).toEqual({ path: "/d" });
  expect(readFileSync(join(rootDir, "d", "a.txt"), "utf8")).toBe("new\n");
});

test("a removal that was not allowed is refused", async () => {
  const [sandbox, rootDir] = sandboxWith("rm", [
    '[ "$1" = -rf ] || exec /bin/rm "$@"',
    "echo \"rm: cannot remove '$DIR/a.txt': Permission denied\" >&2; exit 1",
  ]);
  mkdirSync(join(rootDir, "d"));
  writeFileSync(join(rootDir, "d", "a.txt"), "old");
  expect(await sandbox.delete("/d")).toMatchObject({ code: "permission_denied" });
});

test("a directory that cannot be made is refused", async () => {
  const [sandbox] = sandboxWith("mkdir", ['[ "$2" != "$DIR" ] || exit 1', 'exec /bin/mkdir "$@"']);
  expect(await sandbox.write("/d/a.txt", "new")).toMatchObject({ code: "permission_denied" });
});
