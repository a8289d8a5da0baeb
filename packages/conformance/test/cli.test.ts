import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allCases, groupOf, type Report } from "@fs/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPackage, fsConformance, type Ended } from "./built-package.js";

const harnesses = join(import.meta.dirname, "cli-harnesses");
const folder = mkdtempSync(join(tmpdir(), "fs-conformance-cli-"));

beforeAll(() => buildPackage());
afterAll(() => rmSync(folder, { recursive: true }));

const run = (harness: string, ...args: string[]): Promise<Ended> =>
  fsConformance([join(harnesses, harness), ...args], folder);
const written = (name: string): string => readFileSync(join(folder, name), "utf8");
const reportOf = (name: string): Report => JSON.parse(written(name)) as Report;

/** The cases of a group in the quick tier: what a run of it counts, whatever is added to the suite. */
const quick = (group: string): number =>
  allCases().filter(({ id, tier }) => groupOf(id) === group && (tier ?? "quick") === "quick")
    .length;
const edits = quick("edit");

describe("exit codes", () => {
  test("1: a fault names its rule, its calls, the difference and a program", async () => {
    const { code, stdout, stderr } = await run(
      "expands-dollars.mjs",
      ..."--only edit/* --seed 7 --json reports/dollars.json".split(" "),
      ..."--junit reports/dollars.xml --md reports/dollars.md".split(" "),
    );
    expect(code).toBe(1);
    expect(stderr).toContain("FAIL edit/literal-dollar");
    expect(stderr).toContain("E2  Replacement is literal (`$&` is inert) and not rescanned.");
    expect(stderr).toMatch(/- expected .*\n.*\+ received /);
    expect(stderr).toContain('edit("/a.txt", "x", "$& $1 $$ $` $\' $<n>") → ');
    expect(stderr).toContain("Use a function, or split and join.");
    expect(stderr).toContain("await backend.edit(");
    expect(stderr).toContain('only: "edit/literal-dollar", seed: 7');
    expect(stdout).toContain(`! edit  ${edits - 1}/${edits}`);
    expect(stdout).toContain("--seed 7 --only edit/literal-dollar");

    const { cases } = reportOf("reports/dollars.json");
    expect(cases.filter(({ status }) => status === "fail").map(({ id }) => id)).toEqual([
      "edit/literal-dollar",
    ]);
    const junit = written("reports/dollars.xml");
    expect(junit).toContain(`tests="${edits}" failures="1" errors="0" skipped="0"`);
    expect(junit).toContain('<failure type="fail"');
    expect(junit).toContain("$&amp; $1 $$");
    expect(written("reports/dollars.md")).toContain(String.raw`### edit/literal-dollar (E2): fail`);
  });

  test("1: a case that is expected to fail and passes", async () => {
    const { code, stderr } = await run("expected-failure.mjs", "--only", "edit/*");
    expect(code).toBe(1);
    expect(stderr).toContain("XPASS edit/unique");
    expect(stderr).not.toContain("FAIL edit/literal-dollar");
  });

  test("3: an expected failure withholds its level", async () => {
    const { code, stdout } = await run("expected-failure.mjs", "--only", "edit/literal-dollar");
    expect(code).toBe(3);
    expect(stdout).toContain("dollars expand (#1): edit/*");
  });

  test("3: a filtered run is partial; a level that is not claimed is not earned", async () => {
    const filtered = await run("good.mjs", "--only", "edit/*", "--skip", "edit/unique");
    expect(filtered.code).toBe(3);
    expect(filtered.stdout).toContain(`edit  ${edits - 1}/${edits - 1}`);
    const level = await run("good.mjs", "--only", "raw/*", "--level", "durable");
    expect(level.code).toBe(3);
    expect(level.stdout).toContain("not earned: Durable.");
  });

  test.each([
    ["throws-in-create.mjs", "no server at all"],
    ["shares-files.mjs", "Two namespaces share their files"],
    ["class.mjs", "export default ({ ns }) => new MyBackend(ns)"],
    ["not-there.mjs", "There is no file"],
  ])("2: the harness %s does not work", async (harness, sentence) => {
    const { code, stdout, stderr } = await run(harness);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  test.each([
    [["--tier", "fast"], "--tier is one of quick, full, soak, not 'fast'."],
    [["--seed", "-1"], "--seed"],
    [["--replay", "1:2"], "give the --seed"],
    [["--only", "nothing/*"], "No case of tier 'quick' is selected."],
    [["another.mjs"], "one argument too many"],
    [["--frobnicate"], "Unknown option '--frobnicate'"],
  ])("2: %s", async (args, sentence) => {
    const { code, stderr } = await run("good.mjs", ...args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});

test("--replay begins where a failure of the model said", async () => {
  const model = ["--only", "model/sequential", "--seed", "7"];
  const found = await run("expands-dollars.mjs", ...model);
  expect(found.code).toBe(1);
  const [, place = ""] = /seed 7; replay: "([\d:]+)"/.exec(found.stderr) ?? [];
  const again = await run("expands-dollars.mjs", ...model, "--replay", place);
  const calls = (text: string): string[] => text.match(/^ +await backend\..*$/gm) ?? [];
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("after 0 simplifications");
  expect(calls(again.stderr).length).toBeGreaterThan(0);
  expect(calls(again.stderr).map(withoutBase)).toEqual(calls(found.stderr).map(withoutBase));
});

/** Every sequence of the model has a folder of its own. */
function withoutBase(line: string): string {
  return line.replaceAll(/\/m\d+/g, "/m");
}

describe("a backend that takes its process down", () => {
  test("one that blocks is named, and the rest is run", async () => {
    const { code, stdout, stderr } = await run("blocks.mjs", "--only", "grep/*", "--stall", "2");
    expect(code).toBe(1);
    expect(stderr.match(/^[A-Z]+ grep\/.*$/gm)).toEqual([
      expect.stringContaining("TIMEOUT grep/literal: The process of the backend gave no sign of"),
    ]);
    expect(stdout).toMatch(/! grep {2}\d+\/\d+/);
    expect(stdout).toMatch(/, 1 timeout, in /);
  });

  test("one that dies of an unheard rejection is named, with its last words", async () => {
    const { code, stdout, stderr } = await run("dies.mjs", "--only", "edit/*");
    expect(code).toBe(1);
    expect(stderr.match(/^[A-Z]+ edit\/.*$/gm)).toEqual([
      "FAIL edit/literal-dollar: The process of the backend ended (code 1), while this case ran alone.",
    ]);
    expect(stderr).toContain("Error: nobody listens");
    expect(stdout).toContain(`! edit  ${edits - 1}/${edits}`);
  });
});

describe("what is there to know", () => {
  test("--list", async () => {
    const { code, stdout } = await fsConformance(["--list", "--only", "raw/*,ls/root"], folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ls\/root +\S+ +core +/m);
    expect(stdout.trim().split("\n").at(-1)).toBe(`${quick("raw") + 1} cases`);
  });

  test.each([
    ["edit/literal-dollar", ["E2  Replacement is literal", '"when": [', "probably did this"]],
    ["conc/counter", ["A7  ", "level safe", "written in code"]],
    ["E2", ["E2  Replacement is literal", "edit/literal-dollar: "]],
  ])("--explain %s", async (subject, parts) => {
    const { code, stdout } = await fsConformance(["--explain", subject], folder);
    expect(code).toBe(0);
    for (const part of parts) expect(stdout).toContain(part);
  });

  test("--explain of what is not there suggests what is", async () => {
    const { code, stderr } = await fsConformance(["--explain", "edit/dollar"], folder);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean edit/literal-dollar");
  });

  test("--help names every exit code; no argument is the same", async () => {
    const { stdout } = await fsConformance(["--help"], folder);
    for (const code of [0, 1, 2, 3]) expect(stdout).toMatch(new RegExp(`^ {2}${code} {2}\\w`, "m"));
    expect((await fsConformance([], folder)).stdout).toBe(stdout);
  });
});

test("the documentation has every option and every option is documented", async () => {
  const { stdout } = await fsConformance(["--help"], folder);
  const docs = readFileSync(join(import.meta.dirname, "../../../docs/conformance.md"), "utf8");
  const options = (text: string): string[] =>
    [...new Set(text.match(/(?<=[\s`])--[a-z]+/g))].toSorted();
  const told = docs.slice(docs.indexOf("## From the command line"), docs.indexOf("## The harness"));
  expect(options(told).filter((option) => !["--import", "--out"].includes(option))).toEqual(
    options(stdout).filter((option) => option !== "--out"),
  );
});

describe("init", () => {
  test("writes a harness that runs, also on a backend of one's own, and overwrites nothing", async () => {
    const made = await fsConformance(["init", "check/conformance.mjs"], folder);
    expect(made.code).toBe(0);
    expect(written(".github/workflows/conformance.yml")).toContain(
      "npx fs-conformance ./check/conformance.mjs",
    );
    // As where the package was installed.
    mkdirSync(join(folder, "node_modules/@fs"), { recursive: true });
    symlinkSync(
      join(import.meta.dirname, "../../protocol"),
      join(folder, "node_modules/@fs/protocol"),
    );
    // Without re2js, which this folder has not, there are no expressions to search for.
    const early = await fsConformance(
      ["./check/conformance.mjs", "--only", "write/creates,grep/regex"],
      folder,
    );
    expect([early.code, early.stdout]).toEqual([3, expect.stringContaining("1 not-applicable")]);
    const harness = written("check/conformance.mjs");
    writeFileSync(
      join(folder, "check/conformance.mjs"),
      harness.replace(/^import .*$/m, 'import { MyBackend } from "./my-backend.js";'),
    );
    // A backend that knows nothing: the harness runs, and every failure is the backend's.
    writeFileSync(
      join(folder, "check/my-backend.js"),
      `const no = async () => ({ error: "not yet", code: "unavailable" });
       export class MyBackend { ls = no; read = no; readRaw = no; write = no; edit = no; glob = no; grep = no; }`,
    );
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const tried = await fsConformance(
      ["./check/conformance.mjs", "--only", "write/creates"],
      folder,
    );
    expect(tried.stderr).toContain("not yet");
    expect(tried.code).toBe(1);
    const again = await fsConformance(["init", "check/conformance.mjs"], folder);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("there already");
    expect((await fsConformance(["init", "check/conformance.mjs", "--force"], folder)).code).toBe(
      0,
    );
  });
});

describe("a package of CommonJS", () => {
  const there = join(folder, "commonjs");
  const writeThere = (name: string, text: string): void => {
    mkdirSync(there, { recursive: true });
    writeFileSync(join(there, "package.json"), '{ "type": "commonjs" }');
    writeFileSync(join(there, name), text);
  };

  test.each([
    ["harness.js", "export default () => ({});"],
    ["harness.mjs", 'import { MyBackend } from "./my-backend.js"; export default () => MyBackend;'],
  ])("is what %s is said to be in", async (name, text) => {
    writeThere("my-backend.js", "export class MyBackend {}");
    writeThere(name, text);
    const { code, stderr } = await fsConformance([`./${name}`], there);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Add "type": "module"')]);
  });

  test("gets no harness that it cannot load, one in TypeScript, and keeps its workflow", async () => {
    mkdirSync(there, { recursive: true });
    const refused = await fsConformance(["init", "harness2.js"], there);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("as CommonJS")]);
    const folderOnly = await fsConformance(["."], there);
    expect(folderOnly.stderr).toContain("is a folder");
    expect((await fsConformance(["init"], there)).code).toBe(0);
    const typed = await fsConformance(["init", "harness.ts"], there);
    expect(typed.stdout).toContain(".github/workflows/conformance.yml was there already");
    expect(typed.stdout).toContain("--import tsx");
    expect(readFileSync(join(there, "harness.ts"), "utf8")).toMatch(/\} satisfies Harness;\n$/);
  });
});

describe("matrix", () => {
  test("has a row per report, cells with what does not apply, and linked reasons", async () => {
    await run("expands-dollars.mjs", "--only", "edit/*", "--json", "matrix/dollars.json");
    await run("good.mjs", "--only", "edit/*,write/*,durable/*", "--json", "matrix/good.json");
    const { code, stdout } = await fsConformance(["matrix", "matrix"], folder);
    expect(code).toBe(0);
    expect(stdout).toContain("| deployment | write | edit | durable |");
    expect(stdout).toContain(
      `| expands dollars | not run | [**${edits - 1}/${edits}**](#deployment-1-edit) | not run |`,
    );
    expect(stdout).toContain(` (1 n/a) | ${edits}/${edits} | – (${quick("durable")} n/a) |`);
    expect(stdout).toContain('<a id="deployment-1-edit"></a>`edit/literal-dollar` (E2), fail: ');
    expect(stdout).toContain("n/a, the profile has durable: false: `durable/*`");
    const files = ["matrix/good.json", "-o", "out/MATRIX.md"];
    expect((await fsConformance(["matrix", ...files], folder)).code).toBe(0);
    expect(written("out/MATRIX.md")).toContain("| good |");
  });

  test("may have its groups and reasons on a page of their own", async () => {
    const args = ["matrix", "matrix", "-o", "two/matrix.md", "--details", "two/details.md"];
    expect((await fsConformance(args, folder)).code).toBe(0);
    const summary = written("two/matrix.md");
    expect(summary).toContain("(details.md#deployment-1) |");
    expect(summary).toContain("| expands dollars | [edit](details.md#deployment-1-edit) 1 |");
    expect(summary).not.toContain("## Reasons");
    expect(written("two/details.md")).toContain('<a id="deployment-1-edit"></a>');
  });

  test("refuses what is no report", async () => {
    writeFileSync(join(folder, "no-report.json"), "{}");
    const { code, stderr } = await fsConformance(["matrix", "no-report.json"], folder);
    expect(code).toBe(2);
    expect(stderr).toContain("not a report");
  });
});
