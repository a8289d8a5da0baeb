import { setImmediate as turn } from "node:timers/promises";
import { failure, type EditResult, MemoryVolume, type ReadRawResult } from "@fs/protocol";
import type { PutCondition, RemoveCondition } from "@fs/protocol/author";
import { faultyVolume, mutant, shared, type Mutant } from "./mutant.js";

/** Bytes of a part of an upload. */
const PART = 5 * 1024 * 1024;
/** Bytes after which a log is tidied. */
const SEGMENT = 500_000;

/** A volume that keeps more than the latest content, and forgets too early what was removed. */
class ForgetfulLog extends MemoryVolume {
  readonly #removed = new Map<string, Uint8Array>();
  #written = 0;

  override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
    const stored = await super.put(path, bytes, condition);
    this.#removed.delete(path);
    this.#written += bytes.length;
    if (this.#written > SEGMENT) await this.#tidy();
    return stored;
  }

  override async remove(path: string, condition: RemoveCondition) {
    const file = await super.get(path);
    const found = await super.remove(path, condition);
    if (found && file !== undefined && this.#written < SEGMENT) this.#removed.set(path, file.bytes);
    return found;
  }

  async #tidy(): Promise<void> {
    this.#written = 0;
    for (const [path, bytes] of this.#removed) await super.put(path, bytes, {});
    this.#removed.clear();
  }
}

/** A volume that stores a file beside its place first, where listings see it. */
class SpoolingVolume extends MemoryVolume {
  override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
    const spool = `/.spool-${path.replaceAll("/", "_").slice(-40)}`;
    await super.put(spool, bytes, {});
    await turn();
    try {
      return await super.put(path, bytes, condition);
    } finally {
      await super.remove(spool, {});
    }
  }
}

/** A volume that puts the parts of a large file together as they arrive: the last one is the shortest. */
class HastyParts extends MemoryVolume {
  override put(path: string, bytes: Uint8Array, condition: PutCondition) {
    const arrived =
      bytes.length > PART ? Buffer.concat([bytes.subarray(PART), bytes.subarray(0, PART)]) : bytes;
    return super.put(path, new Uint8Array(arrived), condition);
  }
}

/** Calls that another one overtakes, and contents that take long. */
export const OVERTAKEN_MUTANTS: readonly Mutant[] = [
  {
    ...shared(
      "removes-the-name-in-a-second-step",
      "A7",
      "A removal takes the name out of the listing in a second step: a file that is made in between is in none.",
      () => new Set<string>(),
      (inner, unlisted) => ({
        delete: async (path, options) => {
          const answer = await inner.delete(path, options);
          await turn();
          if (answer.error === undefined) unlisted.add(path);
          return answer;
        },
        write: async (path, content, options) => {
          const answer = await inner.write(path, content, options);
          if (answer.error === undefined) unlisted.delete(path);
          return answer;
        },
        ls: async (path, options) => {
          const answer = await inner.ls(path, options);
          if (answer.files === undefined) return answer;
          const gone = new Set<string>();
          for (const name of unlisted)
            if ((await inner.read(name, 0, 1)).error === undefined) gone.add(name);
          return { ...answer, files: answer.files.filter((file) => !gone.has(file.path)) };
        },
      }),
    ),
    by: "peer/two-changes",
  },
  {
    ...mutant(
      "edit/not-kept-off-by-its-directory",
      "A7",
      "A removal of a directory does not lock the files in it: an edit that is under way stores its file again.",
      (inner) => ({
        edit: async (path, old, text, all, options) => {
          const answer = await inner.edit(path, old, text, all, options);
          if (answer.error !== undefined) return answer;
          const [file] = await inner.downloadFiles([path]);
          await turn();
          const [there] = await inner.downloadFiles([path]);
          const gone = (await inner.ls(path.slice(0, path.lastIndexOf("/")) || "/")).error;
          if (gone !== undefined && there?.content == null && file?.content)
            await inner.uploadFiles([[path, file.content]]);
          return answer;
        },
      }),
    ),
    by: "conc/two-changes",
  },
  {
    ...mutant(
      "read-raw/keeps-what-was-overtaken",
      "A7",
      "What a look has read is kept also where a change has emptied what is kept meanwhile.",
      (inner) => {
        const kept = new Map<string, ReadRawResult>();
        const emptying = Object.fromEntries(
          (["write", "edit", "multiEdit", "uploadFiles", "delete", "move", "copy"] as const).map(
            (method) => [
              method,
              async (...args: unknown[]) => {
                const answer: unknown = await Reflect.apply(inner[method], inner, args);
                kept.clear();
                return answer;
              },
            ],
          ),
        );
        return {
          ...emptying,
          readRaw: async (path, options) => {
            const known = kept.get(path);
            if (known !== undefined) return structuredClone(known);
            const answer = await inner.readRaw(path, options);
            await turn();
            if (answer.error === undefined) kept.set(path, structuredClone(answer));
            return answer;
          },
        };
      },
    ),
    by: "conc/overtaken-looks",
  },
  {
    ...mutant(
      "edit/one-signal-for-all",
      "A8",
      "Edits that were called together are sent together, under the signals of all of them.",
      (inner) => {
        let open: AbortSignal[] | undefined;
        return {
          edit: async (path, old, text, all, options): Promise<EditResult> => {
            const { signal, ...others } = options ?? {};
            const signals = (open ??= []);
            if (signal !== undefined) signals.push(signal);
            await turn();
            if (open === signals) open = undefined;
            if (signals.some(({ aborted }) => aborted)) return failure("aborted", path);
            return inner.edit(path, old, text, all, others);
          },
        };
      },
    ),
    by: "guard/aborted-beside-changes",
  },
  {
    ...faultyVolume(
      "upload/parts-as-they-arrive",
      "T1",
      "A file of more than 5 MiB is put together in the order in which its parts arrived.",
      () => new HastyParts(),
    ),
    by: "conc/several-megabytes",
  },
  {
    ...faultyVolume(
      "delete/comes-back-when-tidied",
      "D1",
      "Marks of what was removed are dropped before what they removed is.",
      () => new ForgetfulLog(),
    ),
    by: "growth/gone-stays-gone",
  },
  {
    ...faultyVolume(
      "ls/names-what-is-on-its-way",
      "A4",
      "A file is stored beside its place first, and listings name it there.",
      () => new SpoolingVolume(),
    ),
    by: "conc/list-during-replacement",
  },
];
