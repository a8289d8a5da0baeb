import type { FileInfo } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

interface Refusable {
  readonly error?: unknown;
  readonly code?: unknown;
}

/** Methods whose first argument is a path that must be there. */
const LOOKED_UP = [
  "copy",
  "delete",
  "edit",
  "ls",
  "move",
  "multiEdit",
  "read",
  "readRaw",
  "stat",
] as const;
/** Methods that look below the path that is their second argument. */
const SEARCHES = ["glob", "grep"] as const;

type BelowFile = (typeof LOOKED_UP)[number] | (typeof SEARCHES)[number];

/** A lock per path that stays locked after an edit was refused with one code. */
function stuckAfter(code: string): Mutant {
  return mutant(
    `refusal/${code.replaceAll("_", "-")}-keeps-the-lock`,
    "A7",
    `An edit that was refused with ${code} keeps its lock.`,
    (inner) => {
      const stuck = new Set<string>();
      return {
        edit: async (path, ...rest) => {
          if (stuck.has(path)) return new Promise(() => undefined);
          const result = await inner.edit(path, ...rest);
          if (result.code === code) stuck.add(path);
          return result;
        },
      };
    },
  );
}

function ghostAfter(method: "write" | "edit" | "copy"): Mutant {
  return mutant(
    `refusal/${method}-leaves-a-directory`,
    "A7",
    `A ${method} that is refused leaves the directory that it made.`,
    (inner) => {
      const ghosts = new Set<string>();
      const note = (path: unknown, error: unknown): void => {
        const top = typeof path === "string" ? /^\/[^/]+\//.exec(path)?.[0] : undefined;
        if (error !== undefined && top !== undefined) ghosts.add(top);
      };
      const call = inner[method].bind(inner) as (...args: unknown[]) => Promise<Refusable>;
      return {
        [method]: async (...args: unknown[]) => {
          const result = await call(...args);
          note(method === "copy" ? args[1] : args[0], result.error);
          return result;
        },
        ls: async (...args) => {
          const result = await inner.ls(...args);
          if (args[0] !== "/" || result.files === undefined) return result;
          const known = new Set(result.files.map(({ path }) => path));
          const more = [...ghosts].filter((path) => !known.has(path));
          const files: FileInfo[] = more.map((path) => ({ path, is_dir: true }));
          return { ...result, files: [...result.files, ...files] };
        },
      };
    },
  );
}

/** A method that says of what is below a file what the system's call says. `at`: which of its arguments is the path. */
function asTheSystemSays(method: BelowFile, at = 0): Mutant {
  return mutant(
    `${method}/code-below-a-file`,
    "R5",
    `Below a file there is nothing, and ${method} says 'not_directory', as the system does.`,
    (inner) => {
      const call = inner[method].bind(inner) as (...args: unknown[]) => Promise<Refusable>;
      return {
        [method]: async (...args: unknown[]) => {
          const answer = await call(...args);
          const path = args[at];
          if (answer.code !== "not_found" || typeof path !== "string") return answer;
          const parent = path.slice(0, path.lastIndexOf("/"));
          const isFile = parent !== "" && (await inner.stat(parent)).info?.is_dir === false;
          return isFile ? { ...answer, code: "not_directory" } : answer;
        },
      };
    },
  );
}

function innerName(method: "move" | "copy"): Mutant {
  return mutant(
    `${method}/refusal-names-a-file-within`,
    "A6",
    `A ${method} of a directory that is refused names a file within it, which the caller never named.`,
    (inner) => ({
      [method]: async (from: string, to: string, options?: { overwrite?: boolean }) => {
        const { files = [] } = await inner.glob("**", from);
        const result = await inner[method](from, to, options);
        const [file] = files.filter(({ path }) => path.startsWith(`${from}/`));
        if (result.code !== "not_directory" || file === undefined) return result;
        const within = to + file.path.slice(from.length);
        return { ...result, error: result.error.replace(`'${to}'`, `'${within}'`) };
      },
    }),
  );
}

/** What a refusal leaves behind, and calls that meet themselves. */
export const REFUSAL_MUTANTS: readonly Mutant[] = [
  ...LOOKED_UP.map((method) => asTheSystemSays(method)),
  ...SEARCHES.map((method) => asTheSystemSays(method, 1)),
  ...["no_match", "not_unique"].map(stuckAfter),
  ...(["write", "edit", "copy"] as const).map(ghostAfter),
  ...(["move", "copy"] as const).map(innerName),
  mutant("move/onto-itself", "M2", "A file moved over itself is gone.", (inner) => ({
    move: async (from, to, options) => {
      if (from !== to || options?.overwrite !== true) return inner.move(from, to, options);
      await inner.delete(from);
      return { path: to, files: 1 };
    },
  })),
  mutant(
    "move/prefix-as-text",
    "M1",
    "The name of a moved directory is replaced wherever it occurs.",
    (inner) => ({
      move: async (from, to, options) => {
        const { files = [] } = await inner.glob("**", from);
        const result = await inner.move(from, to, options);
        if (result.error !== undefined) return result;
        for (const { path } of files.filter((file) => file.path !== from)) {
          const [right, wrong] = [to + path.slice(from.length), path.split(from).join(to)];
          if (right !== wrong) await inner.move(right, wrong);
        }
        return result;
      },
    }),
  ),
  mutant("move/directory-over-a-file", "M1", "A directory replaces a file.", (inner) => ({
    move: async (from, to, options) => {
      const result = await inner.move(from, to, options);
      if (result.code !== "already_exists" || options?.overwrite !== true) return result;
      const [source, target] = [await inner.stat(from), await inner.stat(to)];
      if (source.info?.is_dir !== true || target.info?.is_dir === true) return result;
      await inner.delete(to);
      return inner.move(from, to);
    },
  })),
  mutant(
    "delete/directory-at-a-version",
    "W5",
    "A directory goes whatever the version.",
    (inner) => ({
      delete: async (path, options) => {
        const result = await inner.delete(path, options);
        return result.code === "is_directory" ? inner.delete(path) : result;
      },
    }),
  ),
  mutant("edit/error-names-canonical-path", "A6", "An error names the path tidied.", (inner) => ({
    edit: async (path, ...rest) => {
      const result = await inner.edit(path, ...rest);
      return result.error === undefined || typeof path !== "string"
        ? result
        : {
            ...result,
            error: result.error.replaceAll(path, path.replaceAll(/\/(?:\.?\/)+/g, "/")),
          };
    },
  })),
  mutant("close/throws-afterwards", "A1", "A call after the end throws.", (inner) => {
    const end = { closed: false };
    return {
      close: async () => {
        end.closed = true;
      },
      read: async (...args) => {
        if (end.closed) throw new TypeError("The client is closed.");
        return inner.read(...args);
      },
    };
  }),
  mutant("close/twice", "A1", "The second end throws.", () => {
    const end = { closed: false };
    const close = async (): Promise<void> => {
      if (end.closed) throw new TypeError("The client is closed.");
      end.closed = true;
    };
    return { close } as object;
  }),
  mutant("edit/nul-fails", "E2", "The storage fails at a NUL in a text.", (inner) => ({
    edit: async (path, old, next, ...rest) =>
      `${old}${next}`.includes("\0")
        ? { error: `The storage behind '${path}' failed.`, code: "unavailable" as const }
        : inner.edit(path, old, next, ...rest),
  })),
  mutant("grep/nul-fails", "S1", "The storage fails at a NUL in a pattern.", (inner) => ({
    grep: async (pattern, ...rest) =>
      typeof pattern === "string" && pattern.includes("\0")
        ? { error: "The storage behind '/' failed.", code: "unavailable" as const }
        : inner.grep(pattern, ...rest),
  })),
  mutant(
    "write/nul-in-version-fails",
    "W5",
    "The storage fails at a NUL in a version.",
    (inner) => ({
      write: async (path, content, options) =>
        options?.ifVersion?.includes("\0") === true
          ? { error: `The storage behind '${path}' failed.`, code: "unavailable" as const }
          : inner.write(path, content, options),
    }),
  ),
];
