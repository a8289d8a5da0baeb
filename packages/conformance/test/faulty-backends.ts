import { setImmediate as turn } from "node:timers/promises";
import {
  MemoryBackend,
  type EditResult,
  type FileDownloadResponse,
  type FileUploadResponse,
  type LsResult,
  type ReadResult,
  type WriteResult,
} from "@fs/protocol";

/** Edits as a careless author writes them: read, replace, store; nobody looks whether the file changed in between. */
export class UnlockedEdits extends MemoryBackend {
  override async edit(path: string, old: string, to: string, all = false): Promise<EditResult> {
    const { content } = await this.read(path, 0, 1_000_000);
    const checked = await super.edit(path, old, old, all);
    if (checked.error !== undefined || typeof content !== "string") return checked;
    await turn();
    const text = all ? content.split(old).join(to) : content.replace(old, () => to);
    await this.uploadFiles([[path, new TextEncoder().encode(text)]]);
    return checked;
  }
}

/** `$&` in a replacement is expanded. */
export class DollarEdits extends MemoryBackend {
  override async edit(path: string, old: string, to: string, all = false): Promise<EditResult> {
    return super.edit(path, old, old === "" ? to : old.replace(old, to), all);
  }
}

/** Looks first and creates then. */
export class UnlockedCreates extends MemoryBackend {
  override async write(path: string, content: string): Promise<WriteResult> {
    const there = await this.read(path);
    if (there.code !== "not_found") return super.write(path, content);
    await turn();
    const [stored] = await this.uploadFiles([[path, new TextEncoder().encode(content)]]);
    return stored?.error === null ? { path } : super.write(path, content);
  }
}

/** Throws where it should answer. */
export class ThrowingReads extends MemoryBackend {
  override async read(path: string, offset?: number, limit?: number): Promise<ReadResult> {
    const result = await super.read(path, offset, limit);
    if (result.code === "not_found")
      throw new Error(`ENOENT: no such file, open '/srv/data${path}'`);
    return result;
  }
}

/** Answers an error and data at once. */
export class BothAtOnce extends MemoryBackend {
  override async ls(path?: string): Promise<LsResult> {
    const result = await super.ls(path);
    return result.error === undefined ? result : ({ ...result, files: [] } as unknown as LsResult);
  }
}

/** Tells the caller of the host. */
export class Leaking extends MemoryBackend {
  override async read(path: string, offset?: number, limit?: number): Promise<ReadResult> {
    const result = await super.read(path, offset, limit);
    if (result.error === undefined) return result;
    return { ...result, error: `${result.error} (postgres://admin:hunter2@db:5432)` };
  }
}

/** Never answers a search. */
export class HangingSearch extends MemoryBackend {
  override grep(): Promise<never> {
    return new Promise(() => undefined);
  }
}

/** Lets nobody fetch a file between another's fetch and upload: even careless clients lose nothing here. */
export class OneAtATime extends MemoryBackend {
  readonly #turns = new Map<string, Promise<void>>();
  readonly #ends = new Map<string, () => void>();

  override async downloadFiles(paths: string[]): Promise<FileDownloadResponse[]> {
    const [path = ""] = paths;
    const before = this.#turns.get(path);
    let end = (): void => undefined;
    const turnOfMine = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#turns.set(path, turnOfMine);
    await before;
    this.#ends.set(path, end);
    return super.downloadFiles(paths);
  }

  override async uploadFiles(files: Array<[string, Uint8Array]>): Promise<FileUploadResponse[]> {
    const stored = await super.uploadFiles(files);
    for (const [path] of files) this.#ends.get(path)?.();
    return stored;
  }
}
