import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const interpreter = join(import.meta.dirname, "../interpreters/python/run_cases.py");

interface Ended {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
}

function run(args: readonly string[], path = ""): { code: number | null; ended: Ended[] } {
  const { status, stdout, stderr } = spawnSync("python3", ["-B", interpreter, ...args], {
    encoding: "utf8",
    env: { ...process.env, PYTHONPATH: path },
  });
  expect(stderr).toBe("");
  const lines = stdout.split("\n").filter((line) => line !== "");
  return { code: status, ended: lines.map((line) => JSON.parse(line) as Ended) };
}

test("the cases run in Python, against a backend in Python", () => {
  const { code, ended } = run([]);
  expect(ended.filter(({ status }) => status === "fail")).toEqual([]);
  expect(code).toBe(0);
  expect(ended.filter(({ status }) => status === "pass").length).toBeGreaterThan(200);
});

test("they find a fault there", () => {
  const folder = mkdtempSync(join(tmpdir(), "fs-conformance-python-"));
  writeFileSync(
    join(folder, "faulty.py"),
    [
      "from memory_backend import MemoryBackend",
      "class Faulty(MemoryBackend):",
      "    def edit(self, path, old=None, new=None, everywhere=False, options=None):",
      "        new = new.replace('$&', old) if isinstance(new, str) and isinstance(old, str) else new",
      "        return super().edit(path, old, new, everywhere, options)",
    ].join("\n"),
  );
  const { code, ended } = run(["faulty:Faulty"], folder);
  rmSync(folder, { recursive: true });
  expect(code).toBe(1);
  expect(ended.filter(({ status }) => status === "fail").map(({ id }) => id)).toContain(
    "edit/literal-dollar",
  );
});
