import {
  blobFile,
  blobStore,
  fileAccess,
  hashOf,
  jsonBytes,
  jsonOf,
  settleBlob,
  type StoreFile,
} from "@fs/changes";
import type { AnyBackendProtocol } from "@fs/protocol";
import { isCode, VolumeError } from "@fs/protocol/author";
import type { EntryQuery, JournalStore } from "./journal-store.js";
import { entryOf, type JournalEntry, timeOfId } from "./record.js";

/** Entries and hashes that are remembered: neither ever changes. */
const MAX_REMEMBERED = 50_000;

/**
 * A journal in any backend that stores on a condition: one file per entry, which is created and never changed, so that
 * writers never meet. Throws a `TypeError` for a backend that does not.
 */
export function fileJournal(backend: AnyBackendProtocol): JournalStore {
  const files = fileAccess(backend);
  if (!files.guardedAt("/log"))
    throw new TypeError("A journal needs a backend with versions and conditional uploads.");
  const blobs = blobStore(backend);
  /** Contents that this process has stored or read: what is there of them already is not read once more. */
  const checked = new Set<string>();
  const remembered = new Map<string, JournalEntry>();
  return {
    blobs,
    backend,
    append: async (entries, contents, signal) => {
      // All of them, every time: what was kept once may have been removed since, by another process too.
      const byHash = new Map(contents.map((bytes) => [hashOf(bytes), bytes]));
      const uploads: StoreFile[] = [
        ...[...byHash].map(([hash, bytes]) => blobFile("/blobs", hash, bytes)),
        ...entries.map((entry): StoreFile => [pathOf(entry), jsonBytes(entry), { ifAbsent: true }]),
      ];
      const stored = await files.putMany(uploads, signal);
      for (const [index, [hash, bytes]] of [...byHash].entries()) {
        const answer = stored[index];
        if (isCode(answer, "already_exists") && checked.has(hash)) continue;
        await settleBlob(files, "/blobs", hash, bytes, answer, signal);
        if (checked.size >= MAX_REMEMBERED) checked.clear();
        checked.add(hash);
      }
      for (const answer of stored.slice(byHash.size)) {
        if (answer instanceof VolumeError && answer.code !== "already_exists") throw answer;
      }
    },
    read: async ({ since, signal }: EntryQuery) => {
      const first = since === undefined ? "" : dayOf(since);
      const listed = await files.files("/log", "**/*", signal);
      const paths = listed
        .map(({ path }) => path)
        .filter((path) => (path.split("/")[2] ?? "") >= first);
      const missing = paths.filter((path) => !remembered.has(path));
      const fetched = await files.getMany(missing, signal);
      if (remembered.size + missing.length > MAX_REMEMBERED) remembered.clear();
      const found = new Map<string, JournalEntry>();
      for (const [index, file] of fetched.entries()) {
        const path = missing[index] ?? "";
        if (file !== undefined) found.set(path, entryOf(jsonOf(path, file)));
      }
      for (const [path, entry] of found) remembered.set(path, entry);
      const entries = paths.flatMap((path) => found.get(path) ?? remembered.get(path) ?? []);
      return since === undefined ? entries : entries.filter(({ id }) => timeOfId(id) >= since);
    },
    remove: async (ids) => {
      for (const id of ids) {
        // The beginning goes first: an end alone is nothing, a beginning alone would be settled anew.
        for (const phase of ["begin", "end", "settled"] as const) {
          const path = pathOf({ id, phase });
          await files.remove(path);
          remembered.delete(path);
        }
      }
    },
  };
}

function pathOf({ id, phase }: Pick<JournalEntry, "id" | "phase">): string {
  return `/log/${dayOf(timeOfId(id))}/${id}.${phase}.json`;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
