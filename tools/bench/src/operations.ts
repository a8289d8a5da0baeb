import type { AnyBackendProtocol, Filesystem } from "@fs/protocol";
import { adaptBackendProtocol } from "@fs/protocol";

/** Files of one directory. */
export const PER_DIRECTORY = 100;
const LINE = "lorem ipsum dolor sit amet, consectetur\n";

/** The content of a file: about 1 KB of text, with its number in it. */
export function contentOf(file: number): string {
  return `file ${file}\n${LINE.repeat(24)}`;
}

/** The path of a file: hundreds to a directory. */
export function pathOf(file: number): string {
  return `/d${Math.floor(file / PER_DIRECTORY)}/f${file}.md`;
}

/** Stores that many files, through the backend, a thousand at a time. */
export async function fill(backend: AnyBackendProtocol, files: number): Promise<void> {
  const { uploadFiles } = transferring(backend);
  for (let from = 0; from < files; from += 1000) {
    const batch = Array.from(
      { length: Math.min(1000, files - from) },
      (_, index) =>
        [pathOf(from + index), new TextEncoder().encode(contentOf(from + index))] as [
          string,
          Uint8Array,
        ],
    );
    for (const { error } of await uploadFiles(batch))
      if (error) throw new Error(`A file could not be stored: ${error}.`);
  }
}

export type OperationName =
  | "read"
  | "write"
  | "edit"
  | "ls of a directory of 100"
  | "glob of one name at any depth"
  | "grep below a directory, no match"
  | "grep of everything, no match"
  | "grep of everything, first 100"
  | "download of 100"
  | "upload of 100"
  | "stat"
  | "move of a file"
  | "copy of a file, and its delete"
  | "move of a directory of 100";

/** What is called, on any backend: ours, or one of `deepagents` as it is. */
export function operations(
  backend: AnyBackendProtocol,
): Partial<Readonly<Record<OperationName, () => Promise<unknown>>>> {
  const files: Filesystem = adaptBackendProtocol(backend);
  const { uploadFiles, downloadFiles } = transferring(backend);
  let written = 0;
  let edits = 0;
  const hundred = Array.from({ length: 100 }, (_, file) => pathOf(file));
  const bytes = new TextEncoder().encode(contentOf(0));
  return {
    read: async () => held(await files.read("/d0/f0.md")),
    edit: async () => {
      const words = ["file 1\n", "FILE 1\n"] as const;
      const [from, to] = edits++ % 2 === 0 ? words : ([words[1], words[0]] as const);
      return held(await files.edit("/d0/f1.md", from, to));
    },
    "ls of a directory of 100": async () => held(await files.ls("/d0")),
    "glob of one name at any depth": async () => held(await files.glob("**/f7.md")),
    "grep below a directory, no match": async () => held(await files.grep("absent", "/d0")),
    "grep of everything, no match": async () => held(await files.grep("absent")),
    "grep of everything, first 100": async () => held(await files.grep("lorem", "/", null, 100)),
    "download of 100": async () => downloadFiles(hundred),
    "upload of 100": async () =>
      uploadFiles(hundred.map((path) => [`/up${path}`, bytes] as [string, Uint8Array])),
    ...relocations(files),
    // Last: what it adds would be searched by the others.
    write: async () => held(await files.write(`/new/${++written}.md`, contentOf(written))),
  };
}

/** What only our protocol has; nothing for a backend without it. Follows the upload, whose directory is moved. */
function relocations(
  files: Filesystem,
): Partial<Readonly<Record<OperationName, () => Promise<unknown>>>> {
  const stat = files.stat?.bind(files);
  const move = files.move?.bind(files);
  const copy = files.copy?.bind(files);
  const remove = files.delete?.bind(files);
  if (!stat || !move || !copy || !remove) return {};
  return {
    stat: async () => held(await stat("/d0/f0.md")),
    "move of a file": backAndForth(move, "/d0/f2.md", "/d0/moved.md"),
    "copy of a file, and its delete": async () => {
      held(await copy("/d0/f3.md", "/d0/copied.md"));
      return held(await remove("/d0/copied.md"));
    },
    "move of a directory of 100": backAndForth(move, "/up", "/moved"),
  };
}

function backAndForth(
  move: NonNullable<Filesystem["move"]>,
  one: string,
  other: string,
): () => Promise<unknown> {
  let moves = 0;
  return async () => held(moves++ % 2 === 0 ? await move(one, other) : await move(other, one));
}

/** The methods for many files, which a backend of the first protocol may lack. */
function transferring(
  backend: AnyBackendProtocol,
): Required<Pick<Filesystem, "uploadFiles" | "downloadFiles">> {
  const files = adaptBackendProtocol(backend);
  const uploadFiles = files.uploadFiles?.bind(files);
  const downloadFiles = files.downloadFiles?.bind(files);
  if (uploadFiles === undefined || downloadFiles === undefined)
    throw new TypeError("The benchmark needs a backend that uploads and downloads.");
  return { uploadFiles, downloadFiles };
}

/** A refused call is quicker than one that works, and measures nothing. */
function held<R extends { error?: string | undefined }>(result: R): R {
  if (result.error) throw new Error(result.error);
  return result;
}
