import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BAD_STATUSES, driverHarness, runConformance, type DriverOptions } from "@fs/conformance";
import { expect, onTestFinished, test } from "vitest";

const cwd = join(import.meta.dirname, "../interpreters/python");
const PYTHON: DriverOptions = { command: ["python3", "-B", "driver.py"], cwd };

/** What the small backend in Python has; it has neither expressions nor versions in every answer. */
const profile = { regex: false, versions: false } as const;

test("a backend in Python is run by the suite, behind a driver", async () => {
  const only = ["read/*", "edit/*", "multi-edit/*", "glob/*", "move/*", "copy/*", "delete/*"];
  const report = await runConformance(driverHarness({ ...PYTHON, profile }), { only, seed: 1 });
  const failed = report.cases.filter(({ status }) => BAD_STATUSES.has(status));
  expect(failed.map(({ id, failure, reason }) => [id, failure?.message ?? reason])).toEqual([]);
  expect(report.cases.filter(({ status }) => status === "pass").length).toBeGreaterThan(90);
});

test("a race is run across two clients of it", async () => {
  const only = ["peer/sees-at-once", "conc/create-race-peers"];
  const { cases } = await runConformance(driverHarness({ ...PYTHON, profile }), { only, seed: 1 });
  expect(cases.map(({ status }) => status).filter((status) => BAD_STATUSES.has(status))).toEqual(
    [],
  );
});

test("a driver that cannot be started is an error that says why", async () => {
  const harness = driverHarness({ command: ["python3", "-B", "no-such-driver.py"], cwd });
  const { cases } = await runConformance(harness, { only: "read/missing", seed: 1 });
  expect(cases[0]?.status).toBe("error");
  expect(cases[0]?.reason).toContain("The driver is gone");
});

test("what a driver throws is a failure of the backend", async () => {
  const code = [
    "import json, sys",
    "for line in sys.stdin:",
    "    request = json.loads(line)",
    "    answer = {'id': request['id']}",
    "    if request['do'] == 'call': answer['failed'] = 'KeyError: no such file'",
    "    else: answer['result'] = {'methods': ['read']}",
    "    print(json.dumps(answer), flush=True)",
  ].join("\n");
  const harness = driverHarness({ name: "throws", command: ["python3", "-c", code] });
  const { cases } = await runConformance(harness, { only: "read/missing", seed: 1 });
  expect(cases[0]?.status).toBe("fail");
  expect(cases[0]?.failure?.rule).toBe("A1");
});

test("a driver that goes on without its input is ended", async () => {
  const code = [
    "import json, os, sys, time",
    "print(os.getpid(), file=open(sys.argv[1], 'w'))",
    "for line in sys.stdin:",
    "    answer = {'id': json.loads(line)['id'], 'result': {'methods': ['read']}}",
    "    print(json.dumps(answer), flush=True)",
    "time.sleep(10000)",
  ].join("\n");
  const folder = mkdtempSync(join(tmpdir(), "fs-conformance-driver-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "pid");
  const harness = driverHarness({ name: "stays", command: ["python3", "-c", code, file] });
  const report = await runConformance(harness, { only: "read/missing", seed: 1 });
  expect(report.cases).toHaveLength(1);
  const pid = Number(readFileSync(file, "utf8"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
