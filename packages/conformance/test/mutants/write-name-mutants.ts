import { type BackendProtocolV2, MemoryBackend } from "@fs/protocol";
import { overlay, type Mutant } from "./mutant.js";

interface Naming {
  /** The name of an upload. */
  readonly name: (content: string, count: number) => string;
  /** The name that `stat` gives. */
  readonly shown?: (names: readonly string[]) => string | undefined;
  /** Whether an edit makes a name of its own. */
  readonly edits?: boolean;
}

/** A storage that names its writes, in its own way. */
function namingBackend({
  name,
  shown = (names) => names.at(-1),
  edits = true,
}: Naming): BackendProtocolV2 {
  const inner = new MemoryBackend();
  const names = new Map<string, string[]>();
  let count = 0;
  const note = (path: string, content: string): string => {
    const made = name(content, count++);
    names.set(path, [...(names.get(path) ?? []), made]);
    return made;
  };
  const named = (path: string): { writeId?: string } => {
    const writeId = shown(names.get(path) ?? []);
    return writeId === undefined ? {} : { writeId };
  };
  return overlay(inner, {
    uploadFiles: async (...args: Parameters<MemoryBackend["uploadFiles"]>) => {
      const answers = await inner.uploadFiles(...args);
      return answers.map((answer, index) => {
        if (answer.error !== null) return answer;
        const content = new TextDecoder().decode(args[0][index]?.[1]);
        return { ...answer, writeId: note(answer.path, content) };
      });
    },
    edit: async (...args: Parameters<MemoryBackend["edit"]>) => {
      const answer = await inner.edit(...args);
      if (edits && answer.error === undefined) note(args[0], args[2]);
      return answer;
    },
    stat: async (...args: Parameters<MemoryBackend["stat"]>) => {
      const answer = await inner.stat(...args);
      return answer.error === undefined
        ? { ...answer, info: { ...answer.info, ...named(args[0]) } }
        : answer;
    },
  });
}

const drawn = (_: string, count: number): string => `write ${count}`;

/** Names of writes that a move must not rely on. */
export const WRITE_NAME_MUTANTS: readonly Mutant[] = [
  {
    name: "write-name/of-the-content",
    rule: "M6",
    bug: "The name of a write is a hash of its content, so that two of one content have the same.",
    create: () => namingBackend({ name: (content) => `hash of ${content}` }),
    by: "version/names-of-writes",
  },
  {
    name: "write-name/of-the-first-write",
    rule: "M6",
    bug: "'stat' goes on to show the name of the first write of a file.",
    create: () => namingBackend({ name: drawn, shown: (names) => names[0] }),
    by: "version/names-of-writes",
  },
  {
    name: "write-name/kept-by-an-edit",
    rule: "M6",
    bug: "An edit leaves the name of the write before.",
    create: () => namingBackend({ name: drawn, edits: false }),
    by: "version/names-of-writes",
  },
  {
    name: "write-name/not-in-stat",
    rule: "M6",
    bug: "Uploads name their writes, and 'stat' shows none.",
    create: () => namingBackend({ name: drawn, shown: () => undefined }),
    by: "version/names-of-writes",
  },
];
