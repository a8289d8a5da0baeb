import {
  type AnyBackendProtocol,
  adaptBackendProtocol,
  type Failure,
  type Filesystem,
} from "@fs/protocol";
import {
  canonicalPath,
  checkedConfiguration,
  decodeText,
  encodeText,
  KeyedQueue,
  loadFile,
  statOf,
  storeFile,
  updateFile,
} from "@fs/protocol/author";
import type { MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { memoryError, memoryPath, MEMORIES } from "./memory-path.js";
import { listingText, numberedText, snippetText } from "./memory-texts.js";

/** Options of {@link memoryHandlers}. */
export interface MemoryOptions {
  /** The directory of the backend that the model sees as `/memories`. Default `/memories`. */
  readonly rootDir?: string;
}

/**
 * The handlers of Claude's memory tool over any backend, for `betaMemoryTool`. Replacements and insertions that run together
 * are all kept, in every process, where the backend has versions and conditional uploads; where it has not, they are refused.
 *
 * A handler throws an Error whose message is for the model and whose `cause.code` is the backend's code.
 * Throws a TypeError for wrong options, and for what is no backend.
 *
 * @example
 * const memory = betaMemoryTool(memoryHandlers(backend, { rootDir: "/users/7/memories" }));
 */
export function memoryHandlers(
  given: AnyBackendProtocol,
  options: MemoryOptions = {},
): MemoryToolHandlers {
  checkedConfiguration("memoryHandlers", options, { rootDir: "text" });
  const root = canonicalPath(options.rootDir ?? MEMORIES);
  if (root.failure !== undefined) throw new TypeError(root.failure.error);
  const backend = adaptBackendProtocol(given);
  const at = (path: string): string => memoryPath(root.path, path);
  const throwing = (failed: Failure, path: string, message?: string): never => {
    throw memoryError(failed, root.path, path, message);
  };
  /** Spares neighbours in this process the lost rounds of compare-and-swap. */
  const queue = new KeyedQueue();

  async function change(path: string, make: (text: string) => string | Error): Promise<string> {
    let after = "";
    const problem: { refused?: Error } = {};
    const target = at(path);
    const outcome = await queue.run(target, () =>
      updateFile(
        backend,
        target,
        (file) => {
          if (file === undefined) return missing(path);
          const text = decodeText(file);
          if (text === undefined) return notText(path);
          const made = make(text);
          if (made instanceof Error) {
            problem.refused = made;
            return refusal(made);
          }
          after = made;
          return encodeText(made);
        },
        {},
      ),
    );
    if (problem.refused !== undefined) throw problem.refused;
    if (outcome.code === "is_directory") throwing(outcome, path, `The path ${path} is not a file.`);
    if (outcome.error !== undefined) throwing(outcome, path);
    return after;
  }

  return {
    async view({ path, view_range }) {
      const target = at(path);
      const found = await statOf(backend, target, {});
      const isNewRoot = found.code === "not_found" && target === root.path;
      if (found.error !== undefined && !isNewRoot) throwing(found, path, missing(path).error);
      if (found.error !== undefined || found.info.is_dir === true)
        return listingText(path, await filesBelow(backend, target, throwing, path));
      const loaded = await loadFile(backend, target, {});
      if (loaded.error !== undefined) return throwing(loaded, path);
      const text = decodeText(loaded.bytes);
      return text === undefined
        ? throwing(notText(path), path)
        : numberedText(path, text, view_range);
    },
    async create({ path, file_text }) {
      const target = at(path);
      const stored = await storeFile(
        backend,
        target,
        encodeText(file_text),
        { ifAbsent: true },
        {},
      );
      if (stored.code === "already_exists" || stored.code === "is_directory")
        throwing(stored, path, `File ${path} already exists`);
      if (stored.error !== undefined) throwing(stored, path);
      return `File created successfully at: ${path}`;
    },
    async str_replace({ path, old_str, new_str }) {
      let line = 0;
      const after = await change(path, (text) => {
        const places = old_str === "" ? [] : placesOf(text, old_str);
        const [place] = places;
        if (place === undefined)
          return new Error(
            `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`,
          );
        line = lineAt(text, place);
        if (places.length > 1)
          return new Error(
            `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${linesOf(text, places)}. Please ensure it is unique`,
          );
        return text.slice(0, place) + new_str + text.slice(place + old_str.length);
      });
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippetText(after, line)}`;
    },
    async insert({ path, insert_line, insert_text }) {
      await change(path, (text) => {
        const lines = text.split("\n");
        if (!Number.isInteger(insert_line) || insert_line < 0 || insert_line > lines.length)
          return new Error(
            `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
          );
        return lines.toSpliced(insert_line, 0, insert_text.replace(/\n$/, "")).join("\n");
      });
      return `The file ${path} has been edited.`;
    },
    async delete({ path }) {
      const target = at(path);
      if (target === root.path) throw new Error("Cannot delete the /memories directory itself");
      const removed = (await backend.delete?.(target)) ?? unsupported(path);
      if (removed.code === "not_found") throwing(removed, path, `The path ${path} does not exist`);
      if (removed.error !== undefined) throwing(removed, path);
      return `Successfully deleted ${path}`;
    },
    async rename({ old_path, new_path }) {
      const [from, to] = [at(old_path), at(new_path)];
      if (from === root.path) throw new Error("Cannot rename the /memories directory itself");
      const moved = (await backend.move?.(from, to)) ?? unsupported(old_path);
      if (moved.code === "not_found")
        throwing(moved, old_path, `The path ${old_path} does not exist`);
      if (moved.code === "already_exists" || moved.code === "is_directory")
        throwing(moved, new_path, `The destination ${new_path} already exists`);
      if (moved.error !== undefined) throwing(moved, old_path);
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}

async function filesBelow(
  backend: Filesystem,
  directory: string,
  throwing: (failed: Failure, path: string) => never,
  path: string,
): Promise<Array<{ readonly path: string; readonly size: number }>> {
  const found = await backend.glob("**/*", directory);
  if (found.code === "not_found") return [];
  if (found.error !== undefined) return throwing(found, path);
  const skip = directory === "/" ? 1 : directory.length + 1;
  return found.files
    .filter((file) => file.is_dir !== true)
    .map((file) => ({ path: file.path.slice(skip), size: file.size ?? 0 }));
}

/** Where a text occurs, overlaps included: two places for `aa` in `aaa`. */
function placesOf(text: string, searched: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(searched); at !== -1; at = text.indexOf(searched, at + 1))
    places.push(at);
  return places;
}

/** The lines of places, each once. */
function linesOf(text: string, places: readonly number[]): string {
  return [...new Set(places.map((place) => lineAt(text, place)))].join(", ");
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}

const missing = (path: string): Failure => ({
  error: `The path ${path} does not exist. Please provide a valid path.`,
  code: "not_found",
});

const notText = (path: string): Failure => ({
  error: `The file ${path} is not text in UTF-8.`,
  code: "not_text",
});

const unsupported = (path: string): Failure => ({
  error: `The memory cannot do that with ${path}.`,
  code: "unsupported",
});

const refusal = ({ message }: Error): Failure => ({
  error: `Refused: ${message}`,
  code: "no_match",
});
