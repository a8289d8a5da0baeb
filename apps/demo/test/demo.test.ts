import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryBackend } from "@fs/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { checkRun, type Claim } from "../src/check-run.js";
import { commandLine } from "../src/command-line.js";
import { htmlReport } from "../src/html-report.js";
import { terminalPicture } from "../src/picture.js";
import { type EmbeddedPostgres, embeddedPostgres } from "../src/reports.js";
import { type DemoRun, runDemo } from "../src/run-demo.js";
import { ScriptedModel } from "../src/scripted-model.js";
import { REPORT, surveySteps } from "../src/survey.js";

let postgres: EmbeddedPostgres;
beforeAll(async () => {
  postgres = await embeddedPostgres();
});
afterAll(() => postgres.close());
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function workspaceOf(files: Record<string, string>): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), "fs-demo-test-"));
  folders.push(workspace);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(workspace, name, ".."), { recursive: true });
    await writeFile(join(workspace, name), text);
  }
  return workspace;
}

const driver = { model: new ScriptedModel(surveySteps), description: "scripted" };
const TABLE_PATH = REPORT.replace("/reports", "");

interface Outcome {
  readonly run: DemoRun;
  readonly report: string | undefined;
  readonly printed: readonly string[];
  readonly claims: readonly Claim[];
}

async function demoOn(workspace: string): Promise<Outcome> {
  const printed: string[] = [];
  const places = { workspace, reports: postgres.backend };
  const run = await runDemo(places, driver, (line) => printed.push(line));
  const report = await postgres.stored(TABLE_PATH);
  await postgres.backend.delete(TABLE_PATH);
  return { run, report, printed, claims: await checkRun(run, { report, workspace }, true) };
}

describe("the demo", () => {
  test("does what it claims, on the tree it is given, and leaves out what was built", async () => {
    const long = Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n");
    const workspace = await workspaceOf({
      "docs/GUIDE.md": `# A guide\n${long}\n`,
      "src/one.ts": "// TODO: write it\n",
      "src/two.ts": "export {};\n",
      "src/dist/one.js": "// TODO: write it\n",
      "node_modules/x/skip.ts": "// TODO\n",
    });
    const { run, report, printed, claims } = await demoOn(workspace);
    expect(claims.filter(({ held }) => !held)).toEqual([]);
    expect(report).toContain("Files: 2 .ts, 1 .md");
    expect(report).toContain('Reading: /workspace/docs/GUIDE.md, 61 lines read, titled "A guide"');
    expect(report).toContain("Open work: 1 file says TODO, the first being /workspace/src/one.ts");
    expect(run.workspaceFiles).toEqual(["/docs/GUIDE.md", "/src/one.ts", "/src/two.ts"]);
    expect(printed.filter((line) => line.startsWith("  ✗"))).toHaveLength(1);
  });

  test("works on an empty directory", async () => {
    const { claims } = await demoOn(await workspaceOf({}));
    expect(claims.filter(({ held }) => !held)).toEqual([]);
  });

  test("a run that lost an edit, or wrote where it may not, does not pass", async () => {
    const workspace = await workspaceOf({});
    const { run } = await demoOn(workspace);
    await writeFile(join(workspace, "SURVEY.md"), "");
    const claims = await checkRun(run, { report: "Files: (pending)\n", workspace }, true);
    expect(claims.filter(({ held }) => !held).map(({ what }) => what)).toEqual([
      "the workspace is as it was",
      "the report is the notes, byte for byte",
    ]);
  });

  test("the HTML report has the transcript, the final tree, and no markup of what was read", async () => {
    const { run, claims } = await demoOn(await workspaceOf({ "<b>.md": "# <script>\n" }));
    const html = htmlReport({
      driver: "scripted",
      messages: run.messages,
      race: [{ name: "ours", acknowledged: 20, kept: 20 }],
      battery: [],
      claims,
      tree: new Map([["/workspace/", run.workspaceFiles]]),
    });
    expect(html).toContain("write_file");
    expect(html).toContain("/&lt;b&gt;.md");
    expect(html).not.toContain("<script>");
  });

  test("the picture shows every line as text", () => {
    const svg = terminalPicture("npm run demo", ["agent  a < b", "  ✓ done"]);
    expect(svg.replaceAll("\u00a0", " ")).toContain(">agent  a &lt; b</text>");
    expect(svg.match(/<text /g)).toHaveLength(3);
  });
});

describe("the command line", () => {
  test("takes a directory and a file for the report, and refuses the rest in one line", () => {
    expect(commandLine(["here", "--html", "x.html"])).toMatchObject({
      directory: "here",
      html: "x.html",
    });
    expect(commandLine(["--what"]).problem).toBe("Unknown option '--what'.");
    expect(commandLine(["a", "b"]).problem).toBe("One directory, not 2.");
  });
});

test("the reports could be anywhere", async () => {
  const reports = new MemoryBackend();
  await runDemo({ workspace: await workspaceOf({}), reports }, driver, () => {});
  expect((await reports.read(TABLE_PATH)).content).toContain("# Survey");
});
