import {
  ancestorsOf,
  isCanonicalFilePath,
  MAX_PATH_BYTES,
  quote,
  VolumeError,
} from "@fs/protocol/author";
import { filesBelow, hasDirectory, HubFile, type Changes, type Files } from "./tree.js";

/**
 * A tree while a commit is being put together. Every check of a change and the change itself happen on the draft, so that
 * the changes of one commit see each other in the order in which they were asked for.
 */
export class Draft {
  readonly #base: Files;
  readonly #files: Map<string, HubFile>;
  readonly #touched = new Set<string>();

  constructor(base: Files) {
    this.#base = base;
    this.#files = new Map(base);
  }

  get files(): Files {
    return this.#files;
  }

  get(path: string): HubFile | undefined {
    return this.#files.get(path);
  }

  /** Paths of the files below a directory. Throws `permission_denied` if one of them is linked. */
  changeableBelow(directory: string): string[] {
    const paths = filesBelow(this.#files, directory);
    for (const path of paths) this.refuseLinked(path);
    return paths;
  }

  /** Stores a text. Throws `permission_denied`, and for a new file `invalid_path`, `is_directory` and `not_directory`. */
  set(path: string, text: string): HubFile {
    const old = this.#files.get(path);
    this.refuseLinked(path);
    if (old === undefined) {
      this.refuseUnnameable(path);
      this.#refuseCollision(path);
    }
    const now = new Date().toISOString();
    const file =
      old?.text === text
        ? old
        : new HubFile(text, { modifiedAt: now, createdAt: old?.createdAt ?? now });
    this.#files.set(path, file);
    this.#touched.add(path);
    return file;
  }

  /** Removes a file. Throws `permission_denied` for a linked one. */
  delete(path: string): void {
    this.refuseLinked(path);
    this.#files.delete(path);
    this.#touched.add(path);
  }

  /** What differs from the base. A path that ends as it began is left out. */
  changes(): Changes {
    const changes = new Map<string, string | null>();
    for (const path of this.#touched) {
      const text = this.#files.get(path)?.text ?? null;
      if (text !== (this.#base.get(path)?.text ?? null)) changes.set(path, text);
    }
    return changes;
  }

  /** Throws `permission_denied` when a path, or a directory above it, is linked from another repository. */
  refuseLinked(path: string): void {
    for (const at of [...ancestorsOf(path), path]) {
      const link = this.#files.get(at)?.link;
      if (link === undefined) continue;
      throw new VolumeError(
        "permission_denied",
        `${quote(at)} is linked from the Hub repository ${quote(link.repo_handle)} and can only be changed there.`,
      );
    }
  }

  /** Throws `invalid_path` for a place in a moved directory that no path can name: no listing would show a file there. */
  refuseUnnameable(path: string): void {
    if (isCanonicalFilePath(path)) return;
    const detail = `A file there would have a path of more than ${MAX_PATH_BYTES} bytes.`;
    throw new VolumeError("invalid_path", detail);
  }

  #refuseCollision(path: string): void {
    if (hasDirectory(this.#files, path)) throw new VolumeError("is_directory");
    if (ancestorsOf(path).some((ancestor) => this.#files.has(ancestor))) {
      throw new VolumeError("not_directory");
    }
  }
}
