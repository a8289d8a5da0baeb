import type { MemoryBackend } from "@fs/protocol";
import { mutant, type Mutant } from "./mutant.js";

const encoder = new TextEncoder();

async function versionOf(inner: MemoryBackend, path: string): Promise<string | undefined> {
  return (await inner.stat(path)).info?.version;
}

/** Wrong on one side of a bound, for one kind of name, or in one of several answers. */
export const EDGE_MUTANTS: readonly Mutant[] = [
  mutant("name/decoded-destination", "P3", "copy decodes its destination.", (inner) => ({
    copy: (from, to, options) =>
      inner.copy(
        from,
        typeof to === "string" && /%2[0F]/.test(to)
          ? to.replaceAll("%20", " ").replaceAll("%2F", "/")
          : to,
        options,
      ),
  })),
  mutant("name/tilde-refused", "P3", "move refuses names that begin with a tilde.", (inner) => ({
    move: async (from, to, options) =>
      typeof to === "string" && /\/~[^/]/.test(to)
        ? { error: `The path ${to} is not valid.`, code: "invalid_path" }
        : inner.move(from, to, options),
  })),
  mutant(
    "name/bytes-counted-twice",
    "P2",
    "uploadFiles refuses long names of other characters.",
    (inner) => ({
      uploadFiles: async (files, options) => {
        const answers = await inner.uploadFiles(files, options);
        return answers.map((answer) =>
          answer.path
            .split("/")
            .some((name) => name.length < 200 && encoder.encode(name).length > 250)
            ? { path: answer.path, error: "invalid_path", code: "invalid_path" }
            : answer,
        );
      },
    }),
  ),
  mutant("name/like-counts", "M1", "move counts what LIKE finds.", (inner) => ({
    move: async (from, to, options) => {
      const isLike = (await inner.stat(from)).info?.is_dir === true && from.includes("_");
      const result = await inner.move(from, to, options);
      return isLike && result.files !== undefined ? { ...result, files: result.files + 1 } : result;
    },
  })),
  mutant(
    "version/of-the-edit-before",
    "F3",
    "multiEdit of three edits answers the version before.",
    (inner) => ({
      multiEdit: async (path, edits, options) => {
        const version = await versionOf(inner, path);
        const result = await inner.multiEdit(path, edits, options);
        if (result.error !== undefined || edits.length < 3 || version === undefined) return result;
        return { ...result, version };
      },
    }),
  ),
  mutant(
    "version/of-the-first-upload",
    "F3",
    "Of a path that comes twice both answers have the version of the first.",
    (inner) => ({
      uploadFiles: async (files, options) => {
        const answers = await inner.uploadFiles(files, options);
        return answers.map((answer) => {
          const first = answers.find(({ path }) => path === answer.path);
          const version = first?.version;
          return answer.error !== null || version === undefined ? answer : { ...answer, version };
        });
      },
    }),
  ),
  mutant(
    "version/download-after-replacing",
    "F2",
    "downloadFiles gives the version of what a move has replaced.",
    (inner) => {
      const old = new Map<string, string>();
      return {
        move: async (from, to, options) => {
          const version = await versionOf(inner, to);
          const result = await inner.move(from, to, options);
          if (result.path !== undefined && version !== undefined) old.set(result.path, version);
          return result;
        },
        downloadFiles: async (paths, options) =>
          (await inner.downloadFiles(paths, options)).map((answer) => {
            const version = old.get(answer.path);
            return answer.error !== null || version === undefined ? answer : { ...answer, version };
          }),
      };
    },
  ),
  mutant("stat/slashes-as-written", "A3", "stat keeps two slashes at the end.", (inner) => ({
    stat: async (path, options) => {
      const result = await inner.stat(path, options);
      return result.info?.is_dir === true && path.endsWith("//")
        ? { info: { ...result.info, path } }
        : result;
    },
  })),
  mutant("stat/ghost-after-move", "D2", "stat knows a directory that a move emptied.", (inner) => {
    const ghosts = new Set<string>();
    return {
      move: async (from, to, options) => {
        const result = await inner.move(from, to, options);
        if (result.error === undefined) ghosts.add(from.slice(0, from.lastIndexOf("/")));
        return result;
      },
      stat: async (path, options) => {
        const result = await inner.stat(path, options);
        return result.code === "not_found" && ghosts.has(path)
          ? { info: { path: `${path}/`, is_dir: true } }
          : result;
      },
    };
  }),
  mutant("copy/beside-itself", "P4", "copy takes /d-old for a path below /d.", (inner) => ({
    copy: async (from, to, options) =>
      typeof to === "string" && to !== from && to.startsWith(`${from}-`)
        ? { error: `${from} cannot be put below itself.`, code: "invalid_argument" }
        : inner.copy(from, to, options),
  })),
  mutant("edit/late-nul", "E6", "edit looks for NUL in the first 8,000 bytes.", (inner) => ({
    edit: async (path, old, to, all, options) => {
      const result = await inner.edit(path, old, to, all, options);
      if (result.code !== "not_text") return result;
      const [file] = await inner.downloadFiles([path]);
      const bytes = file?.content ?? new Uint8Array();
      const text = new TextDecoder().decode(bytes);
      if (bytes.indexOf(0) < 8000 || text.split(old).length !== 2) return result;
      await inner.uploadFiles([[path, encoder.encode(text.replace(old, () => to))]]);
      return { path, occurrences: 1 };
    },
  })),
  mutant("multi-edit/escaped-dollars", "E2", "multiEdit takes $$ for one dollar.", (inner) => ({
    multiEdit: (path, edits, options) =>
      inner.multiEdit(
        path,
        Array.isArray(edits) && edits.every((one) => typeof one?.new === "string")
          ? edits.map((one) => ({ ...one, new: one.new.replaceAll("$$", "$") }))
          : edits,
        options,
      ),
  })),
  mutant(
    "grep/exact-with-context",
    "S7",
    "With lines after, as many matches as asked for are truncated.",
    (inner) => ({
      grep: async (pattern, path, glob, maxCount, options) => {
        const result = await inner.grep(pattern, path, glob, maxCount, options);
        return result.matches !== undefined &&
          (options?.after ?? 0) > 0 &&
          result.matches.length === maxCount
          ? { ...result, truncated: true }
          : result;
      },
    }),
  ),
  mutant(
    "glob/missing-base-of-absolute",
    "G4",
    "An absolute pattern below a missing base matches nothing.",
    (inner) => ({
      glob: async (pattern, path, options) => {
        const result = await inner.glob(pattern, path, options);
        return result.code === "not_found" && pattern.startsWith("/") ? { files: [] } : result;
      },
    }),
  ),
  mutant(
    "glob/file-base-at-depth",
    "G4",
    "A file as base is not found by a pattern of any depth.",
    (inner) => ({
      glob: async (pattern, path, options) => {
        const result = await inner.glob(pattern, path, options);
        return result.files?.[0]?.path === path && pattern.startsWith("**/")
          ? { files: [] }
          : result;
      },
    }),
  ),
  mutant("glob/file-base-after", "L5", "A file as base is found after itself.", (inner) => ({
    glob: async (pattern, path, options) => {
      const result = await inner.glob(pattern, path, options);
      return result.files?.length === 0 && path !== undefined && options?.after === path
        ? inner.glob(pattern, path)
        : result;
    },
  })),
  mutant(
    "version/of-a-racing-edit",
    "F3",
    "Edits beside others answer a version that no file has.",
    (inner) => {
      const running = { count: 0 };
      return {
        edit: async (...args) => {
          running.count++;
          const others = running.count > 3;
          const result = await inner.edit(...args);
          running.count--;
          return others && result.version !== undefined
            ? { ...result, version: `${result.version}-${running.count}` }
            : result;
        },
      };
    },
  ),
];
