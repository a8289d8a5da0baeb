import { childEntries, type ListQuery, type VolumeEntry } from "@fs/protocol/author";
import { FlatVolume } from "./flat-volume.js";
import { faultyVolume, mutant, type Mutant } from "./mutant.js";

/** A storage that tells directories apart by their names in composed form. */
class ComposingVolume extends FlatVolume {
  override async *list(directory: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
    if (query.deep) return yield* super.list(directory, query);
    const seen = new Set<string>();
    for (const entry of childEntries(directory, this.below(directory))) {
      const name = entry.path.normalize("NFC");
      if (entry.kind === "directory" && seen.has(name)) continue;
      seen.add(name);
      yield entry;
    }
  }
}

/** A storage whose listings ask LIKE for a prefix in which the escape character itself is not escaped. */
class EscapingVolume extends FlatVolume {
  override async *list(directory: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
    if (!directory.includes("\\")) yield* super.list(directory, query);
  }
}

/** Calls on the method's path, each spelled as another reading has it. */
function spelled(name: string, rule: string, bug: string, spell: (path: string) => string): Mutant {
  const own = <P>(path: P): P => (typeof path === "string" ? (spell(path) as P & string) : path);
  return mutant(`spelling/${name}`, rule, bug, (inner) => ({
    read: (path, ...rest) => inner.read(own(path), ...rest),
    edit: (path, ...rest) => inner.edit(own(path), ...rest),
    delete: (path, ...rest) => inner.delete(own(path), ...rest),
  }));
}

/** Paths and patterns, written in other ways or read as patterns themselves. */
export const SPELLING_MUTANTS: readonly Mutant[] = [
  spelled("dots-once", "P1", "Of '/././' one dot is left, and looked for as a name.", (path) =>
    path.replaceAll("/./", "/").replaceAll("/./", "/ ./"),
  ),
  spelled("slashes-cut", "D4", "Slashes beyond one are cut off with the one.", (path) =>
    path.replace(/\/{2,}$/, ""),
  ),
  mutant(
    "spelling/slash-lost-with-version",
    "D4",
    "delete with a version forgets the slash at the end.",
    (inner) => ({
      delete: (path, options) =>
        typeof path === "string" && path.length > 1 && options?.ifVersion !== undefined
          ? inner.delete(path.replace(/\/$/, ""), options)
          : inner.delete(path, options),
    }),
  ),
  mutant(
    "spelling/name-as-replacement",
    "P3",
    "A directory is renamed by a replacement in which $ has a meaning.",
    (inner) => ({
      move: async (from, to, options) => {
        const target = typeof to === "string" ? "x".replace("x", to) : to;
        return inner.move(from, target, options);
      },
    }),
  ),
  faultyVolume(
    "spelling/composed-directories",
    "P4",
    "Of two directories that differ in normalisation one is listed.",
    () => new ComposingVolume(),
  ),
  faultyVolume(
    "spelling/escape-not-escaped",
    "P3",
    "A directory with a backslash in its name lists as empty.",
    () => new EscapingVolume(),
  ),
  mutant(
    "spelling/extension-from-the-first-dot",
    "G1",
    "An ending is looked for in an index whose extensions begin at the last dot.",
    (inner) => ({
      glob: async (pattern, ...rest) => {
        const found = await inner.glob(pattern, ...rest);
        const [, extension] = /^(?:\*\*\/)?\*(\.\w+\.\w+)$/.exec(pattern) ?? [];
        return extension === undefined || found.files === undefined
          ? found
          : { ...found, files: [] };
      },
    }),
  ),
  {
    ...mutant(
      "spelling/patterns-in-an-object",
      "S1",
      "Answers are kept in a plain object by pattern.",
      (inner) => {
        const kept: Record<string, unknown> = {};
        return {
          grep: async (pattern, ...rest) => {
            if (typeof pattern === "string" && rest.length === 0 && pattern in kept)
              return { matches: [] };
            return inner.grep(pattern, ...rest);
          },
        };
      },
    ),
    by: "grep/names-of-every-object",
  },
  mutant(
    "spelling/positions-of-the-folded-text",
    "S8",
    "Positions in the text in lower case are used in the text as it is.",
    (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const found = await inner.grep(pattern, path, glob, maxCount, options);
        if (options?.ignoreCase !== true || found.matches === undefined) return found;
        const matches = found.matches.filter(({ line, text }) => line === 1 || text.length > 6);
        return { ...found, matches };
      },
    }),
  ),
  {
    ...mutant(
      "spelling/paths-in-characters",
      "M1",
      "The paths of a moved directory are measured in characters.",
      (inner) => ({
        move: async (from, to, options) => {
          const answer = await inner.move(from, to, options);
          if (answer.code !== "invalid_path" || !/[^\u0020-\u007e]/.test(to)) return answer;
          return { path: to, files: 1 };
        },
      }),
    ),
    by: "move/paths-too-long",
  },
];
