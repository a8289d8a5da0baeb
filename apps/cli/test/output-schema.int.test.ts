import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../src/table.js";
import { build, fsAgent } from "./support/program.js";

interface Schema {
  readonly anyOf: ReadonlyArray<{ readonly $ref: string }>;
  readonly $defs: Record<string, object>;
}

let cwd = "";
let schema: Schema;
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
beforeAll(async () => {
  await build();
  cwd = await mkdtemp(join(tmpdir(), "fs-cli-schema-"));
  await mkdir(join(cwd, "data"));
  const routes = { "/": { use: "disk", rootDir: "data" } };
  const journal = { store: { use: "disk", rootDir: "journal" } };
  const staging = { upper: { use: "disk", rootDir: "upper" } };
  await writeFile(join(cwd, "fs.config.json"), JSON.stringify({ routes, journal, staging }));
  await writeFile(join(cwd, "direct.json"), JSON.stringify({ routes, journal }));
  await writeFile(join(cwd, "data", "a.txt"), "one\ntwo\n");
  await writeFile(join(cwd, "data", "b.bin"), new Uint8Array([0, 255]));
  const url = new URL("../schema/output.schema.json", import.meta.url);
  schema = JSON.parse(await readFile(url, "utf8")) as Schema;
  ajv.addSchema({ ...schema, $id: "output" });
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const seen = new Set<string>();

/** Runs a command for a program, and holds its answer against its own part of the schema and against the whole. */
async function answers(
  definition: string,
  args: readonly string[],
  input = "",
): Promise<Record<string, unknown>> {
  const { stdout } = await fsAgent(["--json", ...args], { cwd, input });
  const value = JSON.parse(stdout) as Record<string, unknown>;
  seen.add(args.find((arg) => COMMANDS.some(({ name }) => name === arg)) ?? "");
  for (const id of [`output#/$defs/${definition}`, "output"]) {
    const validate = ajv.getSchema(id);
    if (validate === undefined) throw new Error(`The schema has no ${id}.`);
    const fits = validate(value);
    expect(fits, `${args.join(" ")}: ${ajv.errorsText(validate.errors)} in ${stdout}`).toBe(true);
  }
  expect(schema.anyOf).toContainEqual({ $ref: `#/$defs/${definition}` });
  return value;
}

/** The same, past what is staged. */
const direct = (definition: string, args: readonly string[], input = "") =>
  answers(definition, ["--config", "direct.json", ...args], input);

// A process is started for each command, which takes long on a busy machine.
describe("what fs-agent prints with --json is as its schema says", () => {
  it("of files", async () => {
    await direct("stored", ["write", "/c.txt"], "new\n");
    await direct("stored", ["edit", "/c.txt", "new", "newer"]);
    await direct("stored", ["cp", "/c.txt", "/d.txt"]);
    await direct("stored", ["mv", "/d.txt", "/e.txt"]);
    await direct("listing", ["ls", "/"]);
    await direct("listing", ["glob", "**/*.txt"]);
    await direct("tree", ["tree", "/"]);
    await direct("stat", ["stat", "/a.txt"]);
    await direct("page", ["read", "/a.txt"]);
    expect(await direct("page", ["read", "/b.bin"])).toMatchObject({ encoding: "base64" });
    await direct("matches", ["grep", "one", "/"]);
    await direct("diff", ["diff", "/a.txt", "/c.txt"]);
    await direct("batch", ["upload", "data/a.txt", "--to", "/up"]);
    await direct("batch", ["download", "/a.txt", "down"]);
    await direct("batch", ["rm", "/e.txt"]);
    await direct("failure", ["read", "/missing.txt"]);
    await direct("failure", ["exec", "true"]);
  });

  it("of staged changes", async () => {
    await answers("stored", ["edit", "/a.txt", "one", "ours"]);
    await answers("stored", ["write", "/new.txt"], "new\n");
    await answers("batch", ["rm", "/c.txt"]);
    await direct("stored", ["edit", "/a.txt", "one", "theirs"]);
    await answers("changes", ["changes"]);
    await answers("patch", ["diff", "/new.txt"]);
    await answers("applied", ["commit", "--dry-run"]);
    const { paths } = await answers("applied", ["commit"]);
    expect(paths).toContainEqual(expect.objectContaining({ path: "/a.txt", status: "conflict" }));
    await answers("discarded", ["discard", "--all"]);
  });

  it("of the journal", async () => {
    const { records } = await direct("log", ["log", "/a.txt"]);
    const [{ id }] = records as [{ id: string }];
    await direct("blame", ["blame", "/a.txt"]);
    const undone = await direct("applied", ["undo", id]);
    expect(typeof undone["record"]).toBe("string");
    await direct("applied", ["redo", String(undone["record"])]);
    await direct("snapshot", ["snapshot", "first"]);
    await direct("applied", ["restore", "first", "--dry-run"]);
    await direct("failure", ["undo"]);
  });

  it("of the program itself", async () => {
    await direct("config", ["config", "show"]);
    await direct("schema", ["config", "schema"]);
    await direct("completion", ["completion", "bash"]);
    expect(await direct("doctor", ["doctor"])).toHaveProperty("routes");
  });

  it("of every command but the server and the suite, which have their own tests", () => {
    const missing = COMMANDS.map(({ name }) => name).filter((name) => !seen.has(name));
    expect(missing).toEqual(["conformance", "mcp"]);
  });
});
