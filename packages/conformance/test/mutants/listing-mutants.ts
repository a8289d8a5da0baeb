import type { FileInfo, GlobResult, LsResult } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

const basename = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function mislist(
  name: string,
  rule: string,
  bug: string,
  change: (files: FileInfo[], path: string) => FileInfo[],
): Mutant {
  return mutant(`ls/${name}`, rule, bug, (inner) => ({
    ls: async (path, options) => {
      const result: LsResult = await inner.ls(path, options);
      return result.files === undefined ? result : { files: change(result.files, path) };
    },
  }));
}

function misglob(
  name: string,
  rule: string,
  bug: string,
  change: (files: FileInfo[], pattern: string) => FileInfo[],
): Mutant {
  return mutant(`glob/${name}`, rule, bug, (inner) => ({
    glob: async (pattern, path, options) => {
      const result: GlobResult = await inner.glob(pattern, path, options);
      return result.files === undefined ? result : { files: change(result.files, pattern) };
    },
  }));
}

export const LISTING_MUTANTS: readonly Mutant[] = [
  mislist("hides-dotfiles", "L4", "Dotfiles are left out.", (files) =>
    files.filter(({ path }) => !basename(path).startsWith(".")),
  ),
  mislist("unsorted", "L3", "Entries come in reverse.", (files) => files.toReversed()),
  mislist("sorted-by-locale", "L3", "Entries are sorted by locale.", (files) =>
    files.toSorted((a, b) => a.path.localeCompare(b.path, "en")),
  ),
  mislist("no-trailing-slash", "L1", "Directories do not end in `/`.", (files) =>
    files.map((info) => ({
      ...info,
      path: info.path.length > 1 ? info.path.replace(/\/$/, "") : info.path,
    })),
  ),
  mislist("size-in-characters", "L2", "The size counts UTF-16 code units.", (files) =>
    files.map((info) =>
      info.size === undefined || info.size === 0
        ? info
        : { ...info, size: Math.ceil(info.size / 2) },
    ),
  ),
  mutant("ls/missing-is-empty", "L4", "A missing directory is an empty one.", (inner) => ({
    ls: async (path, options) => {
      const result = await inner.ls(path, options);
      return result.code === "not_found" ? { files: [] } : result;
    },
  })),
  mutant("ls/file-is-empty", "L4", "Listing a file gives nothing.", (inner) => ({
    ls: async (path, options) => {
      const result = await inner.ls(path, options);
      return result.code === "not_directory" ? { files: [] } : result;
    },
  })),
  mutant("ls/recursive", "L1", "The whole tree is listed.", (inner) => ({
    ls: async (path, options) => {
      const result = await inner.ls(path, options);
      if (result.files === undefined) return result;
      const deep = await inner.glob("**", path, options);
      return { files: deep.files ?? [] };
    },
  })),
  misglob("hides-dotfiles", "G1", "Wildcards do not match dotfiles.", (files, pattern) =>
    pattern.includes(".") && basename(pattern).startsWith(".")
      ? files
      : files.filter(({ path }) => !/\/\./.test(path)),
  ),
  misglob("unsorted", "G1", "Matches come in reverse.", (files) => files.toReversed()),
  mutant("glob/any-depth", "G2", "A bare pattern matches the name at any depth.", (inner) => ({
    glob: (pattern, path, options) =>
      inner.glob(
        typeof pattern === "string" && pattern !== "" && !pattern.includes("/")
          ? `**/${pattern}`
          : pattern,
        path,
        options,
      ),
  })),
  mutant("glob/slash-matches-nothing", "G2", "A leading `/` matches nothing.", (inner) => ({
    glob: async (pattern, path, options) => {
      const result = await inner.glob(pattern, path, options);
      return result.files !== undefined && pattern.startsWith("/") ? { files: [] } : result;
    },
  })),
  mutant("glob/braces-literal", "G1", "Braces are ordinary characters.", (inner) => ({
    glob: (pattern, path, options) =>
      inner.glob(
        typeof pattern === "string" && /\{.*,.*\}/.test(pattern)
          ? pattern.replace(/[{}]/g, "\\$&")
          : pattern,
        path,
        options,
      ),
  })),
  mutant("glob/throws", "A1", "A bad pattern throws.", (inner) => ({
    glob: async (pattern, path, options) => {
      const result = await inner.glob(pattern, path, options);
      if (result.code === "invalid_pattern") throw new SyntaxError("bad pattern");
      return result;
    },
  })),
  mutant("glob/bad-pattern-is-empty", "G3", "A bad pattern matches nothing.", (inner) => ({
    glob: async (pattern, path, options) => {
      const result = await inner.glob(pattern, path, options);
      return result.code === "invalid_pattern" ? { files: [] } : result;
    },
  })),
  mutant("glob/lists-directories", "G1", "Directories match too.", (inner) => ({
    glob: async (pattern, path, options) => {
      const result = await inner.glob(pattern, path, options);
      if (result.files === undefined || !pattern.endsWith("*")) return result;
      const listed = await inner.ls(path, options);
      const directories = (listed.files ?? []).filter(({ is_dir }) => is_dir === true);
      return {
        files: [...result.files, ...directories].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      };
    },
  })),
  mutant("glob/missing-base-is-empty", "G4", "A missing base matches nothing.", (inner) => ({
    glob: async (pattern, path, options) => {
      const result = await inner.glob(pattern, path, options);
      return result.code === "not_found" ? { files: [] } : result;
    },
  })),
  mutant("glob/sibling-prefix", "P4", "A base also covers names that begin like it.", (inner) => ({
    glob: async (pattern, path = "/", options) => {
      const result = await inner.glob(pattern, path, options);
      if (result.files === undefined || path === "/" || path === "") return result;
      const everything = await inner.glob("**", "/", options);
      const base = path.replace(/\/$/, "");
      const siblings = (everything.files ?? []).filter(
        (info) =>
          info.path.startsWith(base) && !info.path.startsWith(`${base}/`) && info.path !== base,
      );
      return {
        files: [...result.files, ...siblings].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      };
    },
  })),
];
