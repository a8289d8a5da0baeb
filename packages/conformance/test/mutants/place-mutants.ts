import { mutant, overlay, type Mutant } from "./mutant.js";
import { MemoryBackend } from "@fs/protocol";

const encoder = new TextEncoder();

/** A backend that finds a file under another name, where none has the name itself. */
function takenFor(
  name: string,
  bug: string,
  same: (path: string) => string,
  method: "read" | "stat",
): Mutant {
  return mutant(`name/${name}`, "P4", bug, (inner) => ({
    [method]: async (path: string, ...rest: never[]) => {
      const answer = await inner[method](path, ...rest);
      if (answer.code !== "not_found") return answer;
      const { files = [] } = await inner.glob("**");
      const other = files.find((file) => same(file.path) === same(path));
      return other === undefined ? answer : inner[method](other.path, ...rest);
    },
  }));
}

/** Places, names, contents and arguments that only meet where two tables cross. */
export const PLACE_MUTANTS: readonly Mutant[] = [
  takenFor("case-of-what-is-missing", "stat finds a name in another case.", lowerCase, "stat"),
  takenFor("form-of-what-is-missing", "read finds a name in another form.", composed, "read"),
  takenFor("escape-of-what-is-missing", "read undoes escapes.", unescaped, "read"),
  mutant("write/formats-json", "W3", "A write of JSON is formatted.", (inner) => ({
    write: async (path, content, ...rest) => {
      if (!path.endsWith(".json") || typeof content !== "string")
        return inner.write(path, content, ...rest);
      return inner.write(path, content.replaceAll(/[ \t]+(?=\r?\n)/g, ""), ...rest);
    },
  })),
  mutant("write/cut-at-64-kib", "W3", "A write keeps the first 64 KiB.", (inner) => ({
    write: async (path, content, ...rest) => {
      const answer = await inner.write(path, content, ...rest);
      if (answer.error === undefined && encoder.encode(content).length > 65_536)
        await inner.uploadFiles([[path, encoder.encode(content).slice(0, 65_536)]]);
      return answer;
    },
  })),
  mutant("read/media-in-capitals", "R7", "A picture named in capitals is text.", (inner) => ({
    readRaw: async (path, ...rest) => {
      const answer = await inner.readRaw(path, ...rest);
      const { data } = answer;
      if (data === undefined || typeof data.content === "string") return answer;
      if (!/\.[A-Z]{3}$/.test(path) || data.content.includes(0)) return answer;
      const content = new TextDecoder().decode(data.content);
      return { ...answer, data: { ...data, content } };
    },
  })),
  mutant("read/page-of-501", "R1", "A file of 501 lines is read whole.", (inner) => ({
    read: async (path, offset, limit, ...rest) => {
      const answer = await inner.read(path, offset, limit, ...rest);
      const isLonger = answer.totalLines === 501 && limit === undefined && !offset;
      return isLonger ? inner.read(path, 0, 501) : answer;
    },
  })),
  mutant("read/second-page-is-kept", "R1", "A page other than the first is kept.", (inner) => {
    const pages = new Map<string, unknown>();
    return {
      read: async (path, offset = 0, limit = 500, ...rest) => {
        const answer = await inner.read(path, offset, limit, ...rest);
        const key = `${path}:${offset}:${limit}`;
        if (answer.error !== undefined || offset === 0) return answer;
        const kept = (pages.get(key) ?? answer) as typeof answer;
        pages.set(key, structuredClone(kept));
        return structuredClone(kept);
      },
    };
  }),
  mutant("glob/pattern-after-place", "G3", "A bad pattern of nothing is not found.", (inner) => ({
    glob: async (pattern, path, ...rest) => {
      const { code } = await inner.stat(path ?? "/");
      return code === "not_found"
        ? { error: `'${path}' was not found.`, code: "not_found" as const }
        : inner.glob(pattern, path, ...rest);
    },
  })),
  mutant(
    "edit/nothing-needs-no-version",
    "E9",
    "An edit by itself ignores ifVersion.",
    (inner) => ({
      edit: async (path, old, to, all, options) =>
        old === to && options?.ifVersion !== undefined
          ? inner.edit(path, old, to, all)
          : inner.edit(path, old, to, all, options),
    }),
  ),
  mutant("edit/folds-line-ends", "E4", "CRLF in an edit matches a file of LF.", (inner) => ({
    edit: async (path, old, to, ...rest) => {
      const answer = await inner.edit(path, old, to, ...rest);
      return answer.code === "no_match" && old.includes("\r\n")
        ? inner.edit(path, old.replaceAll("\r\n", "\n"), to, ...rest)
        : answer;
    },
  })),
  mutant("upload/same-content-passes", "T3", "Equal content needs no condition.", (inner) => ({
    uploadFiles: async (files, ...rest) => {
      const answers = await inner.uploadFiles(files, ...rest);
      const stored = await inner.downloadFiles(files.map(([path]) => path));
      return answers.map((answer, n) => {
        const [path = "", bytes = new Uint8Array()] = files[n] ?? [];
        const there = stored[n]?.content;
        const isSame = there != null && Buffer.from(there).equals(bytes);
        return answer.code === "conflict" && isSame ? { path, error: null } : answer;
      });
    },
  })),
  mutant("move/refusal-names-the-source", "A6", "A move names its source only.", (inner) => ({
    move: async (from, to, ...rest) => {
      const answer = await inner.move(from, to, ...rest);
      return answer.code === "already_exists"
        ? { code: "already_exists" as const, error: `'${from}' already exists.` }
        : answer;
    },
  })),
  mutant("created/of-the-file-before", "W7", "A new file has the old one's time.", (inner) => {
    const times = new Map<string, string | undefined>();
    return {
      stat: async (path, ...rest) => {
        const answer = await inner.stat(path, ...rest);
        if (answer.info === undefined) return answer;
        if (!times.has(path)) times.set(path, answer.info.created_at);
        const created = times.get(path);
        return {
          info: { ...answer.info, ...(created === undefined ? {} : { created_at: created }) },
        };
      },
    };
  }),
  {
    name: "features/names-watch",
    rule: "F4",
    bug: "The features name a method that is not there.",
    create: () => {
      const inner = new MemoryBackend();
      return overlay(inner, { features: [...inner.features, "watch"] });
    },
  },
];

function lowerCase(path: string): string {
  return path.toLowerCase();
}

function composed(path: string): string {
  return path.normalize("NFC");
}

function unescaped(path: string): string {
  return path.replaceAll("%41", "A");
}
