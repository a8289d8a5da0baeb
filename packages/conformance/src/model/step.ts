import type { ResultBase } from "@fs/protocol";
import type { Verdict } from "./file-model.js";
import { batch, multiEdit, versioned } from "./compound-steps.js";
import type { Operation } from "./operations.js";
import { editedText, linesOf, matchesOf, sortedPaths, textOfBytes } from "./text-rules.js";
import { cutFrom, growsTooLong, isOpen, pathOf, placeOf, type Walk } from "./walk.js";

const encoder = new TextEncoder();

/** Patterns with what they mean, for a path below the base without its leading slash. */
const PATTERNS: ReadonlyArray<readonly [pattern: string, matches: (path: string) => boolean]> = [
  ["**", () => true],
  ["*", (path) => !path.includes("/")],
  ["**/*.txt", (path) => path.endsWith(".txt")],
  ["*/*", (path) => path.split("/").length === 2],
  ["a*", (path) => !path.includes("/") && path.startsWith("a")],
  ["**/{a,é}", (path) => ["a", "é"].includes(path.split("/").at(-1) ?? "")],
  ["**/?", (path) => Array.from(path.split("/").at(-1) ?? "").length === 1],
  ["a/**", (path) => path.startsWith("a/")],
  ["**/[ab]*", (path) => /^[ab]/.test(path.split("/").at(-1) ?? "")],
];

/** Runs one operation on the backend and on the model, and asserts that they agree. */
export async function takeStep(walk: Walk, operation: Operation): Promise<void> {
  walk.coverage.step();
  switch (operation.kind) {
    case "write":
      return write(walk, pathOf(walk, operation.target), operation.content);
    case "upload":
      return upload(walk, pathOf(walk, operation.target), operation.content, operation.binary);
    case "edit":
      return edit(walk, operation);
    case "multiEdit":
      return multiEdit(walk, operation);
    case "versioned":
      return versioned(walk, operation);
    case "batch":
      return batch(walk, operation);
    case "remove":
      return remove(walk, placeOf(walk, operation.target, operation.parent));
    case "relocate":
      return relocate(walk, operation);
    case "read":
      return read(walk, pathOf(walk, operation.target), operation.offset, operation.limit);
    case "list":
      return list(walk, placeOf(walk, operation.target, true));
    case "glob":
      return glob(walk, operation.pattern);
    case "grep":
      return grep(walk, operation);
  }
}

function expectVerdict(
  { context }: Walk,
  result: ResultBase,
  verdict: Verdict,
  what: string,
): void {
  if (verdict === undefined) context.check.succeeded(result, what);
  else context.check.failed(result, verdict, what);
}

async function write(walk: Walk, path: string, content: string): Promise<void> {
  if (isOpen(walk, path)) return;
  const { context, model } = walk;
  const result = await context.backend.write(path, content);
  if (!content.isWellFormed()) {
    context.check.failed(
      result,
      ["invalid_argument", ...(model.collision(path) ?? [])],
      "write of half a character",
      "W3",
    );
    return;
  }
  walk.coverage.meet(model.isFile(path) ? "write over a file" : "write of a new file");
  expectVerdict(walk, result, model.write(path, encoder.encode(content)), "write");
}

async function upload(walk: Walk, path: string, content: string, binary: boolean): Promise<void> {
  const { context, model } = walk;
  if (!context.profile.transfer || isOpen(walk, path)) return;
  const bytes = encoder.encode(content.toWellFormed());
  const tail = binary && context.profile.content === "bytes" ? [0, 255, 128] : [];
  const whole = Uint8Array.from([...bytes, ...tail]);
  const [item] = await context.backend.uploadFiles([[path, whole]]);
  const collision = model.collision(path);
  context.check.that(
    (item?.error == null) === (collision === undefined),
    `The upload should have ${collision === undefined ? "succeeded" : `failed with ${collision.join()}`}, but answered ${JSON.stringify(item)}.`,
    "T1",
  );
  if (collision === undefined) model.put(path, whole);
}

async function edit(
  walk: Walk,
  { target, cut, to, all }: Operation & { kind: "edit" },
): Promise<void> {
  const path = pathOf(walk, target);
  if (isOpen(walk, path)) return;
  const { context, model, coverage } = walk;
  const bytes = model.files.get(path);
  const text = bytes === undefined ? undefined : textOfBytes(bytes);
  const old = cutFrom(text ?? "", cut, "");
  const verdict = text === undefined ? undefined : editedText(text, old, to, all);
  if (verdict !== undefined && growsTooLong(walk, verdict)) return;
  const result = await context.backend.edit(path, old, to, all);
  if (!old.isWellFormed() || !to.isWellFormed()) {
    context.check.that(
      result.error !== undefined,
      "An edit with half a character should have failed.",
      "W3",
    );
  } else if (bytes === undefined) {
    const codes = model.isDirectory(path) ? ["is_directory"] : ["not_found"];
    context.check.failed(result, [...codes, "invalid_argument"], "edit of what is no file", "E6");
  } else if (verdict === undefined)
    context.check.failed(result, "not_text", "edit of a binary file", "E6");
  else {
    if ("code" in verdict) {
      coverage.meet(
        verdict.code === "not_unique"
          ? "edit of a text that occurs several times, one by one"
          : "edit of a text that does not occur",
      );
      context.check.failed(result, verdict.code, "edit", "E1");
      return;
    }
    coverage.meet(
      verdict.occurrences > 1
        ? "edit of all of several occurrences"
        : "edit of a text that occurs once",
    );
    if (to.includes("$")) coverage.meet("edit to a text with $");
    context.check.succeeded(result, "edit", "E1");
    context.check.equal(result.occurrences, verdict.occurrences, "'occurrences' of edit", "E1");
    model.put(path, encoder.encode(verdict.text));
  }
}

async function remove(walk: Walk, path: string): Promise<void> {
  if (!walk.context.profile.delete || isOpen(walk, path)) return;
  const result = await walk.context.backend.delete(path);
  expectVerdict(walk, result, walk.model.remove(path), "delete");
}

async function relocate(walk: Walk, operation: Operation & { kind: "relocate" }): Promise<void> {
  const { context, model } = walk;
  const { move, overwrite } = operation;
  if (!(move ? context.profile.move : context.profile.copy)) return;
  const from = placeOf(walk, operation.target, operation.parent);
  const to = pathOf(walk, operation.to);
  // A directory put over another with overwrite merges or not, as the storage has it.
  const merges =
    overwrite && model.isDirectory(from) && (model.isDirectory(to) || model.isFile(to));
  if (isOpen(walk, from) || isOpen(walk, to) || merges || to.startsWith(`${from}/`)) return;
  const result = await context.backend.call(move ? "move" : "copy", [from, to, { overwrite }]);
  expectVerdict(
    walk,
    result as ResultBase,
    model.relocate(from, to, { move, overwrite }),
    move ? "move" : "copy",
  );
}

async function read(walk: Walk, path: string, offset: number, limit: number): Promise<void> {
  const { context, model } = walk;
  const bytes = model.files.get(path);
  if (bytes === undefined || isOpen(walk, path)) return;
  const result = await context.backend.read(path, offset, limit);
  const text = textOfBytes(bytes);
  if (text === undefined) {
    context.check.equal(result.content, bytes, "What is read of a binary file", "R6");
    return;
  }
  const lines = linesOf(text);
  if (offset > 0 && offset >= lines.length) {
    context.check.failed(result, "invalid_range", "read past the end", "R3");
    return;
  }
  walk.coverage.meet("read of lines");
  context.check.equal(
    result.content,
    lines.slice(offset, offset + limit).join(""),
    `Lines ${offset} to ${offset + limit}`,
    "R1",
  );
}

async function list(walk: Walk, path: string): Promise<void> {
  const { context, model } = walk;
  if (!model.isDirectory(path) || model.isFile(path)) return;
  const { files } = await context.backend.ls(path);
  const listed = files?.map((file) => file.path).filter((entry) => !isGhost(walk, entry));
  context.check.equal(listed, model.children(path), "What ls lists", "L1");
}

/** An empty directory, which may be there where directories are real. */
function isGhost({ model, context }: Walk, entry: string): boolean {
  return (
    context.profile.directories === "real" &&
    entry.endsWith("/") &&
    !model.isDirectory(entry.slice(0, -1))
  );
}

async function glob({ context, model, base }: Walk, pick: number): Promise<void> {
  const [pattern, matches] = PATTERNS[pick % PATTERNS.length] ?? ["**", () => true];
  if (model.below(base).length === 0) return;
  const expected = model.below(base).filter((path) => matches(path.slice(base.length + 1)));
  const { files } = await context.backend.glob(pattern, base);
  context.check.equal(
    files?.map(({ path }) => path),
    expected,
    `What glob finds for ${pattern}`,
    "G1",
  );
}

async function grep(
  walk: Walk,
  { target, cut, scoped }: Operation & { kind: "grep" },
): Promise<void> {
  const { context, model, base } = walk;
  if (model.below(base).length === 0) return;
  const path = pathOf(walk, target);
  const text = textOfBytes(model.files.get(path) ?? new Uint8Array()) ?? "";
  const needle = cutFrom(text, cut, "a").replace(/[\r\n]/g, "");
  if (needle === "" || !needle.isWellFormed()) return;
  const root = scoped && model.isFile(path) ? path : base;
  const { matches } = await context.backend.grep(needle, root);
  const expected = sortedPaths(root === base ? model.below(base) : [root]).flatMap((file) =>
    matchesOf(textOfBytes(model.files.get(file) ?? new Uint8Array()) ?? "", needle).map(
      ([line, found]) => [file, line, found],
    ),
  );
  if (expected.length > 0) walk.coverage.meet("search with matches");
  const actual = matches?.map((match) => [match.path, match.line, match.text]);
  context.check.equal(actual, expected, `What grep finds for ${JSON.stringify(needle)}`, "S1");
}
