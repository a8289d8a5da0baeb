import {
  type AnyBackendProtocol,
  adaptBackendProtocol,
  type ErrorCode,
  failure,
  type Failure,
  type Filesystem,
} from "@fs/protocol";
import { canonicalPath, checkedConfiguration, encodeText } from "@fs/protocol/author";
import { KeyedQueue } from "@fs/protocol/async";
import { loadFile, statOf, storeFile, updateText } from "@fs/protocol/bridge";
import { textOf } from "@fs/protocol/hooks";
import type { MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { memoryError, memoryPath, MEMORIES } from "./memory-path.js";
import { lineAt, linesOf, placesOf } from "./places.js";
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

  /** Returns the text as it was stored. */
  async function change(path: string, make: (text: string) => string | Failure): Promise<string> {
    const target = at(path);
    let after = "";
    let refused: Failure | undefined;
    const changed = (text: string): string | Failure => {
      const made = make(text);
      if (typeof made === "string") after = made;
      else refused = made;
      return made;
    };
    const outcome = await queue.run(target, () => updateText(backend, target, changed, {}));
    if (outcome.error === undefined) return after;
    return throwing(outcome, path, (refused ?? reasonOf(outcome.code, path))?.error);
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
      const text = textOf(loaded.bytes);
      return text === undefined
        ? throwing(failure("not_text", path), path)
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
          return {
            error: `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`,
            code: "no_match",
          };
        line = lineAt(text, place);
        if (places.length > 1)
          return {
            error: `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${linesOf(text, places)}. Please ensure it is unique`,
            code: "not_unique",
          };
        return text.slice(0, place) + new_str + text.slice(place + old_str.length);
      });
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippetText(after, line)}`;
    },
    async insert({ path, insert_line, insert_text }) {
      await change(path, (text) => {
        const lines = text.split("\n");
        if (!Number.isInteger(insert_line) || insert_line < 0 || insert_line > lines.length)
          return {
            error: `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
            code: "invalid_range",
          };
        return lines.toSpliced(insert_line, 0, insert_text.replace(/\n$/, "")).join("\n");
      });
      return `The file ${path} has been edited.`;
    },
    async delete({ path }) {
      const target = at(path);
      if (target === root.path) throw new Error("Cannot delete the /memories directory itself");
      const removed = (await backend.delete?.(target)) ?? failure("unsupported", path);
      if (removed.code === "not_found") throwing(removed, path, `The path ${path} does not exist`);
      if (removed.error !== undefined) throwing(removed, path);
      return `Successfully deleted ${path}`;
    },
    async rename({ old_path, new_path }) {
      const [from, to] = [at(old_path), at(new_path)];
      if (from === root.path) throw new Error("Cannot rename the /memories directory itself");
      const moved = (await backend.move?.(from, to)) ?? failure("unsupported", old_path);
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

const missing = (path: string): Failure => ({
  error: `The path ${path} does not exist. Please provide a valid path.`,
  code: "not_found",
});

/** What the reference says where a file cannot be changed. */
function reasonOf(code: ErrorCode, path: string): Failure | undefined {
  if (code === "not_found") return missing(path);
  if (code === "is_directory") return { error: `The path ${path} is not a file.`, code };
  return undefined;
}
