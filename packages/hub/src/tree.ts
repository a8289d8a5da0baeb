import { createHash } from "node:crypto";
import { encodeText, prefixOf } from "@fs/protocol/author";
import type { Entry } from "langsmith/schemas";

/** A file of a commit. Immutable; its bytes and version are worked out when somebody asks. */
export class HubFile {
  readonly text: string;
  /** The entry, when it links another repository instead of holding a text. Such a file cannot be changed here. */
  readonly link: Exclude<Entry, { type: "file" }> | undefined;
  /** ISO 8601: when this client first saw the content; the Hub keeps no times of files. */
  readonly modifiedAt: string;
  /** ISO 8601: when this client first saw the file. */
  readonly createdAt: string;
  #bytes: Uint8Array | undefined;
  #version: string | undefined;

  constructor(
    text: string,
    times: { modifiedAt: string; createdAt: string },
    link?: Exclude<Entry, { type: "file" }>,
  ) {
    this.text = text;
    this.modifiedAt = times.modifiedAt;
    this.createdAt = times.createdAt;
    this.link = link;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= encodeText(this.text);
    return this.#bytes;
  }

  /** A hash of the content: the same for every client, and after every restart. */
  get version(): string {
    this.#version ??= createHash("sha256").update(this.bytes).digest("base64url").slice(0, 22);
    return this.#version;
  }
}

/** The files of one commit by canonical path. */
export type Files = ReadonlyMap<string, HubFile>;

/** The latest state of a repository that this client knows to be stored. */
export interface Tree {
  readonly files: Files;
  /** The commit, of which 8 characters are enough; `undefined` while the repository has none. */
  readonly commit: string | undefined;
  /** `performance.now()` before the request that told: everything acknowledged until then is in the tree. */
  readonly asOf: number;
}

/** What a commit does: a text for a path, or `null` to remove it. */
export type Changes = ReadonlyMap<string, string | null>;

/** Paths of the files below a directory. */
export function filesBelow(files: Files, directory: string): string[] {
  const prefix = prefixOf(directory);
  return [...files.keys()].filter((path) => path.startsWith(prefix));
}

/** Returns whether a directory is there: in the Hub, while a file lies below it. */
export function hasDirectory(files: Files, path: string): boolean {
  const prefix = prefixOf(path);
  for (const file of files.keys()) if (file.startsWith(prefix)) return true;
  return path === "/";
}
