import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRun } from "../src/check-run.js";
import { runDemo, type DemoPlaces } from "../src/run-demo.js";
import { ScriptedModel } from "../src/scripted-model.js";
import { surveySteps } from "../src/survey.js";

async function places(files: Record<string, string>): Promise<DemoPlaces> {
  const base = await mkdtemp(join(tmpdir(), "fs-demo-test-"));
  const [workspace, out] = [join(base, "workspace"), join(base, "out")];
  await mkdir(out);
  await mkdir(workspace);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(workspace, name, ".."), { recursive: true });
    await writeFile(join(workspace, name), text);
  }
  return { workspace, out };
}

const driver = { model: new ScriptedModel(surveySteps), description: "scripted" };

describe("the demo", () => {
  test("does what it claims, on the tree it is given", async () => {
    const long = Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n");
    const where = await places({
      "docs/GUIDE.md": `# A guide\n${long}\n`,
      "src/one.ts": "// TODO: write it\n",
      "src/two.ts": "export {};\n",
      "node_modules/x/skip.ts": "// TODO\n",
    });
    const printed: string[] = [];
    const run = await runDemo(where, driver, (line) => printed.push(line));
    expect(await checkRun(run, where, true)).toSatisfy((claims: Array<{ held: boolean }>) =>
      claims.every(({ held }) => held),
    );
    const report = await readFile(join(where.out, "report.md"), "utf8");
    expect(report).toContain("Files: 2 .ts, 1 .md");
    expect(report).toContain('Reading: /workspace/docs/GUIDE.md, 61 lines read, titled "A guide"');
    expect(report).toContain("Open work: 1 file says TODO, the first being /workspace/src/one.ts");
    expect(printed.join("\n")).toContain("(3 in parallel)");
  });

  test("works on an empty directory", async () => {
    const where = await places({});
    const run = await runDemo(where, driver, () => {});
    expect((await checkRun(run, where, true)).filter(({ held }) => !held)).toEqual([]);
  });

  test("a run that lost an edit does not pass", async () => {
    const where = await places({});
    const run = await runDemo(where, driver, () => {});
    await writeFile(join(where.out, "report.md"), "# Survey\n\nFiles: (pending)\n");
    expect((await checkRun(run, where, true)).filter(({ held }) => !held)).toHaveLength(1);
  });
});
