import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { buildPackage } from "./built-package.js";

const folder = mkdtempSync(join(tmpdir(), "fs-conformance-watch-"));
const packages = join(import.meta.dirname, "../..");
let command: ChildProcess | undefined;
let printed: string;

beforeAll(() => {
  buildPackage();
  mkdirSync(join(folder, "node_modules/@fs"), { recursive: true });
  symlinkSync(join(packages, "protocol"), join(folder, "node_modules/@fs/protocol"));
  writeFileSync(
    join(folder, "harness.mjs"),
    `import { MyBackend } from "./my-backend.mjs";
     console.log("in process " + process.pid + ".");
     export default { name: "watched", profile: {}, create: () => new MyBackend() };`,
  );
});
afterEach(() => {
  if (command?.exitCode === null && command.signalCode === null) command.kill("SIGKILL");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Stores the backend; `body` is what is added to the right one. */
function store(body: string): void {
  writeFileSync(
    join(folder, "my-backend.mjs"),
    `import { MemoryBackend } from "@fs/protocol";
     export class MyBackend extends MemoryBackend { ${body} }`,
  );
}

function watch(...args: string[]): void {
  const main = join(packages, "conformance/dist/cli/main.js");
  const options = ["./harness.mjs", "--watch", "--only", "edit/literal-dollar", ...args];
  const child = spawn(process.execPath, [main, ...options], { cwd: folder });
  printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  command = child;
}

/** Waits until something has been printed since the last call, and gives and forgets all that was. */
async function until(wanted: RegExp): Promise<string> {
  while (!wanted.test(printed)) await delay(20);
  const all = printed;
  printed = "";
  return all;
}

/** Ends the command as a terminal or a container would, and gives the signal that it ended by. */
async function endedBy(signal: NodeJS.Signals): Promise<unknown> {
  const child = command;
  if (child === undefined) throw new Error("The command has not been started.");
  const closed = once(child, "close");
  child.kill(signal);
  const [, by] = (await closed) as unknown[];
  return by;
}

async function hasEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      expect(error).toMatchObject({ code: "ESRCH" });
      return;
    }
    await delay(20);
  }
}

test("--watch runs again when a file changes, and not for its own report", async () => {
  store("");
  watch("--json", "report.json");
  expect(await until(/Watching/)).toContain("1 pass");
  store("edit = async () => ({ error: 'broken', code: 'unavailable' });");
  const second = await until(/Watching/);
  expect(second).toContain("Again: my-backend.mjs changed.");
  expect(second).toContain("FAIL edit/literal-dollar");
  store("");
  const third = await until(/Watching/);
  expect(third).toContain("1 pass");
  expect(third.match(/Again:/g)).toHaveLength(1);
  expect(await endedBy("SIGTERM")).toBe("SIGTERM");
});

test("a signal ends a backend that blocks its process too", async () => {
  store("edit() { console.log('blocked'); for (;;); }");
  watch();
  const [, pid = ""] = /in process (\d+)\.[^]*blocked/.exec(await until(/blocked/)) ?? [];
  expect(await endedBy("SIGINT")).toBe("SIGINT");
  await hasEnded(Number(pid));
});
