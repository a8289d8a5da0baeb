import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readmeExamples, runExample } from "@fs/readme-examples";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const page = new URL("fixture/README.md", import.meta.url);
const [first, second] = readmeExamples(page);
if (first === undefined || second === undefined) throw new Error("the fixture has two examples");

describe("readmeExamples", () => {
  test("takes the ts blocks that are meant to run, and nothing else", () => {
    expect(readmeExamples(page).map((example) => example.title)).toEqual([
      "A page with examples (README.md:4)",
      "In a list (README.md:32)",
    ]);
    expect(second.code).toMatch(/^import .*\n\nconsole/);
  });

  test("a page without examples is an error", async () => {
    const folder = await mkdtemp(join(tmpdir(), "readme-"));
    await writeFile(join(folder, "EMPTY.md"), "# Nothing\n\n```sh\nls\n```\n");
    expect(() => readmeExamples(join(folder, "EMPTY.md"))).toThrow("EMPTY.md has no");
    await rm(folder, { recursive: true });
  });
});

describe("runExample", () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "readme-"));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  test("runs in the given folder and returns what was logged and exported", async () => {
    const before = process.cwd();
    const run = await runExample(first, { cwd });
    expect(run.lines).toEqual(["the answer is 42"]);
    expect(run.exports["folder"]).toBe(cwd.split("/").at(-1));
    expect(await readFile(join(cwd, "made/here.txt"), "utf8")).toBe("in the working directory");
    expect(process.cwd()).toBe(before);
  });

  test("runs in an empty folder that is gone afterwards when none is given", async () => {
    const { exports } = await runExample(first);
    expect(existsSync(join(tmpdir(), String(exports["folder"])))).toBe(false);
  });

  test("resolves workspace packages and sets the environment for the run only", async () => {
    await runExample(second, { env: { README_EXAMPLE: "set" } });
    expect(process.env["README_EXAMPLE"]).toBeUndefined();
  });

  test("rejects with the example's own error", async () => {
    await expect(runExample(`throw new TypeError("from inside");`)).rejects.toThrow(
      new TypeError("from inside"),
    );
  });

  test.each([
    ["other output", `console.log("b"); // prints: a`],
    ["no output", `// prints: a`],
    ["more output", `console.log("a"); // prints: a\nconsole.log("b");`],
  ])("rejects an example whose promise is broken: %s", async (_, code) => {
    await expect(runExample(code, { cwd })).rejects.toThrow("promises to print\n  a\nbut printed");
  });

  test("leaves no file beside the page", async () => {
    const folder = fileURLToPath(new URL("fixture", import.meta.url));
    await runExample(first, { cwd });
    await expect(runExample(`throw new Error("x");`, { resolveFrom: folder })).rejects.toThrow("x");
    expect(await readdir(folder)).toEqual(["README.md"]);
  });
});
