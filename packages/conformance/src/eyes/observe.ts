import type { GuardedBackend } from "../engine/guard.js";

/** What the eyes look at: these files, these directories, these texts. */
export interface Sights {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  readonly needles: readonly string[];
  readonly transfer: boolean;
  /** Downloads and glob alone. */
  readonly glance?: boolean;
}

/** An answer of any method, before anything is known about it. */
export type Answer = Readonly<Record<string, unknown>>;

/** Every view of one tree at one time. */
export interface Observation {
  readonly ls: ReadonlyMap<string, Answer>;
  readonly glob: Answer;
  readonly grep: ReadonlyMap<string, Answer>;
  readonly read: ReadonlyMap<string, Answer>;
  /** The second and third line of each file. */
  readonly page: ReadonlyMap<string, Answer>;
  readonly readRaw: ReadonlyMap<string, Answer>;
  readonly download: ReadonlyMap<string, Answer>;
  /** Empty where the backend has no `stat`. */
  readonly stat: ReadonlyMap<string, Answer>;
}

/** Looks at a tree through every method that shows one. Done before a change, it fills every cache. */
export async function observe(backend: GuardedBackend, sights: Sights): Promise<Observation> {
  const { files, directories, needles, transfer, glance = false } = sights;
  const read = glance ? [] : files;
  return {
    ls: await each(directories, (path) => backend.ls(path)),
    glob: { ...(await backend.glob("**", "/")) },
    grep: await each(needles, (needle) => backend.grep(needle, "/")),
    read: await each(read, (path) => backend.read(path)),
    page: await each(read, (path) => backend.read(path, 1, 2)),
    readRaw: await each(read, (path) => backend.readRaw(path)),
    download: transfer ? await downloads(backend, files) : new Map(),
    stat: backend.has("stat")
      ? await each(read, (path) => backend.call("stat", [path]) as Promise<object>)
      : new Map(),
  };
}

async function each(
  keys: readonly string[],
  look: (key: string) => Promise<object>,
): Promise<Map<string, Answer>> {
  const found = new Map<string, Answer>();
  for (const key of keys) found.set(key, { ...(await look(key)) });
  return found;
}

async function downloads(
  backend: GuardedBackend,
  files: readonly string[],
): Promise<Map<string, Answer>> {
  if (files.length === 0) return new Map();
  const answers = await backend.downloadFiles([...files]);
  return new Map(files.map((path, index) => [path, { ...answers[index] }]));
}
