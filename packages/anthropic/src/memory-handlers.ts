import {
  type CallOptions,
  type ErrorCode,
  failure,
  type Failure,
  type Filesystem,
  type Outcome,
} from "@fs/protocol";
import { encodeText, prefixOf } from "@fs/protocol/author";
import type { KeyedQueue } from "@fs/protocol/async";
import { loadFile, statOf, storeFile, updateText } from "@fs/protocol/bridge";
import { textOf } from "@fs/protocol/hooks";
import type { MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { memoryError, memoryPath } from "./memory-path.js";
import { listingText, numberedText, snippetText } from "./memory-texts.js";
import { lineAt, linesOf, placesOf } from "./places.js";

/** What the handlers of one memory share. */
export interface Memory {
  readonly backend: Filesystem;
  /** The directory that the model sees as `/memories`. Canonical. */
  readonly root: string;
  /** Spares neighbours in this process the lost rounds of compare-and-swap. */
  readonly queue: KeyedQueue;
}

/** What the reference says of a failure, by its code; the backend's own sentence where it says nothing. */
type Words = Readonly<Partial<Record<ErrorCode, string>>>;

/** The commands of the memory tool, which throw for a call that failed. */
export function handlersOf(
  { backend, root, queue }: Memory,
  call: CallOptions,
): MemoryToolHandlers {
  const at = (path: string): string => memoryPath(root, path);

  function done<T extends object>(outcome: Outcome<T>, path: string, words: Words = {}): T {
    if (outcome.error === undefined) return outcome;
    throw memoryError(outcome, root, path, words[outcome.code]);
  }

  /** Returns the text as it was stored. */
  async function change(path: string, make: (text: string) => string | Failure): Promise<string> {
    const target = at(path);
    const words = {
      not_found: missing(path),
      is_directory: `The path ${path} is not a file.`,
    };
    let after = "";
    let refusal: Words = {};
    const changed = (text: string): string | Failure => {
      const made = make(text);
      if (typeof made === "string") after = made;
      else refusal = { [made.code]: made.error };
      return made;
    };
    const outcome = await queue.run(target, () => updateText(backend, target, changed, call));
    done(outcome, path, { ...words, ...refusal });
    return after;
  }

  async function filesBelow(directory: string, path: string): Promise<SizedFile[]> {
    const found = await backend.glob("**/*", directory, call);
    if (found.code === "not_found") return [];
    const skip = prefixOf(directory).length;
    return done(found, path).files.flatMap((file) =>
      file.is_dir === true ? [] : { path: file.path.slice(skip), size: file.size ?? 0 },
    );
  }

  return {
    async view({ path, view_range }) {
      const target = at(path);
      const found = await statOf(backend, target, call);
      const isNew = found.code === "not_found" && target === root;
      if (isNew || done(found, path, { not_found: missing(path) }).info.is_dir === true)
        return listingText(path, await filesBelow(target, path));
      const { bytes } = done(await loadFile(backend, target, call), path);
      const text = textOf(bytes);
      if (text === undefined) throw memoryError(failure("not_text", path), root, path);
      return numberedText(path, text, view_range);
    },
    async create({ path, file_text }) {
      const bytes = encodeText(file_text);
      const exists = `File ${path} already exists`;
      const stored = await storeFile(backend, at(path), bytes, { ifAbsent: true }, call);
      done(stored, path, { already_exists: exists, is_directory: exists });
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
      if (target === root) throw new Error("Cannot delete the /memories directory itself");
      const removed = (await backend.delete?.(target, call)) ?? failure("unsupported", path);
      done(removed, path, { not_found: `The path ${path} does not exist` });
      return `Successfully deleted ${path}`;
    },
    async rename({ old_path, new_path }) {
      const [from, to] = [at(old_path), at(new_path)];
      if (from === root) throw new Error("Cannot rename the /memories directory itself");
      const moved = (await backend.move?.(from, to, call)) ?? failure("unsupported", old_path);
      const exists = `The destination ${new_path} already exists`;
      done(moved, old_path, {
        not_found: `The path ${old_path} does not exist`,
        already_exists: exists,
        is_directory: exists,
      });
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}

interface SizedFile {
  readonly path: string;
  readonly size: number;
}

function missing(path: string): string {
  return `The path ${path} does not exist. Please provide a valid path.`;
}
