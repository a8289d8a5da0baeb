import { MemoryVolume } from "@fs/protocol";
import { type PutCondition, VolumeBackend, type VolumeFile } from "@fs/protocol/author";
import { type Mutant, mutant, overlay, shared } from "./mutant.js";

const encoder = new TextEncoder();

/** A storage that does something else with a content than keep it. */
class Kept extends MemoryVolume {
  readonly #keep: (bytes: Uint8Array, condition: PutCondition) => Uint8Array;

  constructor(keep: (bytes: Uint8Array, condition: PutCondition) => Uint8Array) {
    super();
    this.#keep = keep;
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    return super.put(path, this.#keep(bytes, condition), condition);
  }
}

/** Files of one content share it, and the count of those that have it is kept in one byte. */
class CountedContents extends MemoryVolume {
  readonly #counts = new Map<string, number>();

  async #count(path: string, by: 1 | -1): Promise<void> {
    const file = await super.get(path);
    if (file === undefined) return;
    const content = new TextDecoder().decode(file.bytes);
    this.#counts.set(content, Math.min(255, (this.#counts.get(content) ?? 0) + by));
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    await this.#count(path, -1);
    const stored = await super.put(path, bytes, condition);
    await this.#count(path, 1);
    return stored;
  }

  override async remove(...args: Parameters<MemoryVolume["remove"]>): Promise<boolean> {
    await this.#count(args[0], -1);
    return super.remove(...args);
  }

  override async get(path: string): Promise<VolumeFile | undefined> {
    const file = await super.get(path);
    if (file === undefined || file.bytes.length === 0) return file;
    const left = this.#counts.get(new TextDecoder().decode(file.bytes)) ?? 0;
    return left > 0 ? file : { ...file, bytes: new Uint8Array() };
  }
}

/** Bugs that show once there is much, or once something has happened often. */
export const AMOUNT_MUTANTS: readonly Mutant[] = [
  mutant(
    "grep/skips-large-files",
    "S1",
    "Files beyond five megabytes are not searched.",
    (inner) => ({
      grep: async (...args) => {
        const answer = await inner.grep(...args);
        if (answer.error !== undefined) return answer;
        const { files = [] } = await inner.glob("**", "/");
        const large = new Set(files.filter(({ size = 0 }) => size > 5e6).map(({ path }) => path));
        return { ...answer, matches: answer.matches.filter(({ path }) => !large.has(path)) };
      },
    }),
  ),
  {
    name: "read/line-end-of-a-chunk",
    rule: "R1",
    bug: "A line end that is the last byte of four megabytes is counted with the next chunk once more.",
    by: "scale/at-every-border",
    create: () => {
      const inner = new VolumeBackend(new MemoryVolume());
      return overlay(inner, {
        read: async (...[path, offset = 0, ...rest]: Parameters<VolumeBackend["read"]>) => {
          const lines = 2 ** 22 / 64;
          const [file] = offset >= lines ? await inner.downloadFiles([path]) : [];
          const ends = file?.content?.[2 ** 22 - 1] === 10;
          return inner.read(path, ends ? offset - 1 : offset, ...rest);
        },
      });
    },
  },
  {
    name: "edit/sniffs-the-head",
    rule: "E6",
    bug: "Whether a file is text is seen from its first kilobytes, and the rest is decoded with replacements.",
    by: "scale/no-text-at-the-end",
    create: () => {
      const inner = new VolumeBackend(new MemoryVolume());
      return overlay(inner, {
        edit: async (...args: Parameters<VolumeBackend["edit"]>) => {
          const edited = await inner.edit(...args);
          const [path, old, to] = args;
          const [file] = edited.code === "not_text" ? await inner.downloadFiles([path]) : [];
          if (file?.error !== null || file.content.length < 65_536) return edited;
          const text = new TextDecoder().decode(file.content).replace(old, () => to);
          await inner.uploadFiles([[path, encoder.encode(text)]]);
          return { path, occurrences: 1 };
        },
      });
    },
  },
  {
    name: "storage/count-of-one-byte",
    rule: "A7",
    bug: "What many files have in common is gone once as many as a byte counts are removed.",
    by: "growth/old-beside-many",
    create: () => new VolumeBackend(new CountedContents()),
  },
  {
    name: "upload/aborted-parts-are-put-together",
    rule: "A8",
    bug: "A signal ends the loop over the parts, and what has arrived by then is stored as the file.",
    by: "conc/megabytes-aborted",
    create: () => {
      const parts = new Kept((bytes, { signal }) =>
        signal?.aborted === true && bytes.length > 2 ** 20 ? bytes.slice(0, 2 ** 20) : bytes,
      );
      const put = parts.put.bind(parts);
      const inner = new VolumeBackend(
        overlay(parts, {
          put: async (path: string, bytes: Uint8Array, condition: PutCondition) => {
            for (let n = 0; n < 8 && bytes.length > 2 ** 20; n++)
              await new Promise((resolve) => void setImmediate(resolve));
            return put(path, bytes, condition);
          },
        }),
      );
      return inner;
    },
  },
  mutant(
    "refusal/opens-the-breaker",
    "A7",
    "Refusals are taken for an outage once there are 200.",
    (inner) => {
      let refused = 0;
      return {
        read: async (...args) => {
          if (refused >= 200) return { error: "Not available.", code: "unavailable" };
          const answer = await inner.read(...args);
          refused = answer.error === undefined ? 0 : refused + 1;
          return answer;
        },
      };
    },
  ),
  mutant(
    "fresh/hot-files",
    "A7",
    "What was read three times is kept, and forgotten by its own path alone.",
    (inner) => {
      const [reads, kept] = [new Map<string, number>(), new Map<string, unknown>()];
      const forget = (...paths: string[]): void => {
        for (const path of paths) kept.delete(path);
      };
      return {
        readRaw: async (path, options) => {
          const known = kept.get(path);
          if (known !== undefined) return known as Awaited<ReturnType<typeof inner.readRaw>>;
          const answer = await inner.readRaw(path, options);
          const count = (reads.get(path) ?? 0) + 1;
          reads.set(path, count);
          if (count >= 3 && answer.error === undefined) kept.set(path, answer);
          return structuredClone(answer);
        },
        write: async (path, ...rest) => (forget(path), inner.write(path, ...rest)),
        edit: async (path, ...rest) => (forget(path), inner.edit(path, ...rest)),
        multiEdit: async (path, ...rest) => (forget(path), inner.multiEdit(path, ...rest)),
        delete: async (path, ...rest) => (forget(path), inner.delete(path, ...rest)),
        move: async (from, to, ...rest) => (forget(from, to), inner.move(from, to, ...rest)),
        copy: async (from, to, ...rest) => (forget(to), inner.copy(from, to, ...rest)),
        uploadFiles: async (files, ...rest) => {
          forget(...files.map(([path]) => path));
          return inner.uploadFiles(files, ...rest);
        },
      };
    },
  ),
  mutant(
    "edit/chain-without-its-end",
    "A7",
    "A chain of four hundred edits is folded without the last.",
    (inner) => {
      const chains = new Map<string, number>();
      return {
        edit: async (path, old, to, ...rest) => {
          const length = (chains.get(path) ?? 0) + 1;
          chains.set(path, length % 400);
          if (length < 400) return inner.edit(path, old, to, ...rest);
          return inner.edit(path, old, old, ...rest);
        },
      };
    },
  ),
  shared(
    "uploads-what-it-knows",
    "A7",
    "What this client uploaded last is not uploaded again, whoever has changed it since.",
    () => undefined,
    (inner) => {
      const last = new Map<string, string>();
      return {
        uploadFiles: async (files, ...rest) => {
          const [[path, bytes] = ["", new Uint8Array()]] = files;
          const text = new TextDecoder().decode(bytes);
          if (files.length === 1 && last.get(path) === text) return [{ path, error: null }];
          last.set(path, text);
          return inner.uploadFiles(files, ...rest);
        },
      };
    },
  ),
];
