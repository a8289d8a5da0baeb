import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend, type Volume } from "@fs/protocol/author";
import { mutant, type Mutant } from "./mutant.js";

/** Moves over a file keep the version of the row that they replace. */
class RowVolume extends MemoryVolume implements Volume {
  readonly #kept = new Map<string, string>();

  override async get(path: string): ReturnType<MemoryVolume["get"]> {
    const file = await super.get(path);
    const version = this.#kept.get(path);
    return file === undefined || version === undefined ? file : { ...file, version };
  }

  override async put(
    ...[path, bytes, { ifVersion, ...rest }]: Parameters<MemoryVolume["put"]>
  ): ReturnType<MemoryVolume["put"]> {
    const stored = await super.put(path, bytes, { ...rest, ...(await this.#own(path, ifVersion)) });
    this.#kept.delete(path);
    return stored;
  }

  override async remove(
    path: string,
    { ifVersion }: Parameters<MemoryVolume["remove"]>[1],
  ): Promise<boolean> {
    const removed = await super.remove(path, await this.#own(path, ifVersion));
    this.#kept.delete(path);
    return removed;
  }

  async moveFile(
    from: string,
    to: string,
    { overwrite }: { overwrite: boolean },
  ): Promise<true | undefined> {
    const [file, old] = [await this.get(from), await this.get(to)];
    if (!overwrite || file === undefined || old === undefined || from === to) return undefined;
    await this.put(to, file.bytes, {});
    this.#kept.set(to, old.version);
    await this.remove(from, {});
    return true;
  }

  async #own(path: string, version: string | undefined): Promise<{ ifVersion?: string }> {
    if (version === undefined) return {};
    const shown = (await this.get(path))?.version;
    return { ifVersion: shown === version ? ((await super.get(path))?.version ?? "") : "another" };
  }
}

/** Right once, and wrong when the same comes again. */
export const AGAIN_MUTANTS: readonly Mutant[] = [
  {
    ...mutant(
      "again/upload-skipped",
      "T1",
      "Bytes that were uploaded last are not sent again.",
      (inner) => {
        const sent = new Map<string, string>();
        return {
          uploadFiles: async (files, options) => {
            const [only] = files;
            if (files.length !== 1 || only === undefined || only.length > 2)
              return inner.uploadFiles(files, options);
            const [path, bytes] = only;
            const text = String(bytes);
            const { version } = await inner.read(path, 0, 1);
            if (sent.get(path) === text && version !== undefined)
              return [{ path, error: null, version, size: bytes.length }];
            const answers = await inner.uploadFiles(files, options);
            if (answers[0]?.error === null) sent.set(path, text);
            return answers;
          },
        };
      },
    ),
    by: "upload/same-bytes-again",
  },
  {
    name: "again/version-of-the-row",
    rule: "F2",
    bug: "A move over a file leaves the version of the file that it replaces.",
    by: "version/of-every-change",
    create: () => new VolumeBackend(new RowVolume()),
  },
];
