import { createHash } from "node:crypto";
import {
  basenameOf,
  MAX_PATH_BYTES,
  MAX_SEGMENT_BYTES,
  parentOf,
  segmentsOf,
} from "@fs/protocol/author";

/** Where the entries of files lie in the upper layer. */
export const ENTRIES = "/entries";

/** Bytes that a coded directory may have, so that a hash still fits behind it within the longest path. */
const MAX_DIRECTORY_BYTES = 3_900;

/** Where the entries of removed directories lie: in one place, because those of all directories above a file matter to it. */
export const TREES = "/trees";

/** The path under which the entry of a removed directory is kept. */
export function codedTree(path: string): string {
  return `${TREES}/${digest(path)}`;
}

/**
 * The path under which the entry of a file is kept. Every segment gets a letter, so that a file and a directory of one
 * name can both have entries and no name of a user means anything. What would be longer than a path may be is kept by
 * its hash, in the nearest directory above that fits.
 */
export function codedPath(path: string): string {
  const { directory, whole } = coded(parentOf(path));
  const name = basenameOf(path);
  const bytes = Buffer.byteLength(name);
  const fits =
    whole &&
    bytes < MAX_SEGMENT_BYTES &&
    Buffer.byteLength(`${directory}/f`) + bytes <= MAX_PATH_BYTES;
  return `${directory}/${fits ? `f${name}` : `F${digest(path)}`}`;
}

/** The directory below which the entries of everything below a directory are kept, perhaps with those of others. */
export function codedDirectory(path: string): string {
  return coded(path).directory;
}

function coded(path: string): { directory: string; whole: boolean } {
  let directory = ENTRIES;
  for (const segment of segmentsOf(path)) {
    const fits = Buffer.byteLength(segment) < MAX_SEGMENT_BYTES;
    const next = `${directory}/${fits ? `d${segment}` : `D${digest(segment)}`}`;
    if (Buffer.byteLength(next) > MAX_DIRECTORY_BYTES) return { directory, whole: false };
    directory = next;
  }
  return { directory, whole: true };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
