import type { Failure } from "@fs/protocol";
import { canonicalPath, isWithin, joinPath, VolumeError } from "@fs/protocol/author";

/** The directory that the model knows. */
export const MEMORIES = "/memories";

/** The path in the backend of a path as the model writes it. Throws an Error for one that is not below `/memories`. */
export function memoryPath(root: string, path: string): string {
  const canonical = canonicalPath(path);
  if (canonical.failure !== undefined) throw memoryError(canonical.failure, root, path);
  if (!isWithin(canonical.path, MEMORIES)) {
    const error = `Path must start with ${MEMORIES}, got: ${path}` as const;
    throw memoryError({ error, code: "invalid_path" }, root, path);
  }
  return joinPath(root, canonical.path.slice(MEMORIES.length + 1));
}

/**
 * The error of a failed call. Its message is the sentence of the backend, in which its own directory is `/memories`, unless
 * the reference has a text of its own.
 */
export function memoryError(failed: Failure, root: string, path: string, message?: string): Error {
  const text = message ?? (root === "/" ? failed.error : asSeen(failed.error, root));
  return new Error(text, { cause: new VolumeError(failed.code, text, { path }) });
}

/** A sentence in which the paths that begin with the backend's directory begin with `/memories`; other text stays. */
function asSeen(sentence: string, root: string): string {
  const [head = "", ...rest] = sentence.split(root);
  return rest.reduce((done, part) => {
    const isBegun = done === "" || /[\s'"`(:=]$/.test(done);
    const isEnded = /^(?:$|[/\s'"`),;:!?]|\.(?:\s|$))/.test(part);
    return done + (isBegun && isEnded ? MEMORIES : root) + part;
  }, head);
}
