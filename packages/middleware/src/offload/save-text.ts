import { createHash, randomBytes } from "node:crypto";
import { basenameOf, joinPath } from "@fs/protocol/author";
import type { Filesystem } from "@fs/protocol";
import { carriedUpdate, type FilesUpdate } from "@fs/tools";
import { readableText } from "./readable-text.js";

/** Where offloaded texts go. */
export interface ArtifactStore {
  /** May reject; then nothing is saved. */
  readonly backend: () => Promise<Filesystem>;
  /** Canonical directory. */
  readonly root: string;
  readonly onError: ((error: unknown) => void) | undefined;
}

/** A text that is in a file now. */
export interface SavedText {
  readonly path: string;
  /** What a backend made with a runtime wants to be put into the graph's state, or the file is lost. */
  readonly filesUpdate?: FilesUpdate;
}

/**
 * Saves a text under a name that is safe and unique whatever the call is named, and says where. `undefined` when that
 * failed, or the agent could not read it there: the text then stays where it is.
 *
 * @param origin What it came from, such as a tool's name. Shows in the file's name.
 * @param id The tool call or message. Identifiers of any length and content are fine.
 */
export async function saveText(
  store: ArtifactStore,
  origin: string,
  id: string,
  text: string,
): Promise<SavedText | undefined> {
  const label = origin.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 40);
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 8);
  // Models reuse ids, and threads share storage: the random part keeps one result from replacing another.
  const name = `${label}-${hash}-${randomBytes(4).toString("hex")}.txt`;
  try {
    const backend = await store.backend();
    const written = await backend.write(joinPath(store.root, name), readableText(text));
    if (written.error !== undefined) {
      store.onError?.(new Error(`${basenameOf(name)} was not saved: ${written.error}`));
      return undefined;
    }
    const saved = { path: written.path ?? joinPath(store.root, name), ...carriedUpdate(written) };
    const problem = await problemOfReading(backend, saved);
    if (problem === undefined) return saved;
    store.onError?.(new Error(`${basenameOf(name)} could not be read where it is: ${problem}`));
    if (saved.filesUpdate === undefined) await backend.delete?.(saved.path);
    return undefined;
  } catch (error) {
    store.onError?.(error);
    return undefined;
  }
}

/** Why the agent could not read what was saved. What waits for the graph's state is not there yet, and only that. */
async function problemOfReading(
  backend: Filesystem,
  { path, filesUpdate }: SavedText,
): Promise<string | undefined> {
  const { error, code } = await backend.read(path, 0, 1);
  return filesUpdate !== undefined && code === "not_found" ? undefined : error;
}
