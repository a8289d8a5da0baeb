import {
  type CallOptions,
  CompositeBackend,
  type TransferOptions,
  type TransferResult,
} from "@fs/protocol";

/**
 * A router that relocates as one would write it first: it looks, copies, reads back, and removes the source, all of it
 * without a condition. When anything fails, it takes back what it stored. The races must see what this loses.
 */
export class BlindComposite extends CompositeBackend {
  override async move(
    from: string,
    to: string,
    options?: TransferOptions,
  ): Promise<TransferResult> {
    return this.#relocate("move", from, to, options);
  }

  override async copy(
    from: string,
    to: string,
    options?: TransferOptions,
  ): Promise<TransferResult> {
    return this.#relocate("copy", from, to, options);
  }

  async #relocate(
    kind: "move" | "copy",
    from: string,
    to: string,
    { overwrite, signal }: TransferOptions = {},
  ): Promise<TransferResult> {
    const call: CallOptions = signal === undefined ? {} : { signal };
    const sources = await this.#sourcesOf(from);
    if (sources.length === 0) return refusal("not_found", from);
    const arrived: string[] = [];
    for (const source of sources) {
      const target = to + source.slice(from.length);
      const [there] = await this.downloadFiles([target], call);
      if (there?.error === null && overwrite !== true) return refusal("already_exists", target);
      const [read] = await this.downloadFiles([source], call);
      const stored =
        read?.content == null ? [] : await this.uploadFiles([[target, read.content]], call);
      const [back] = await this.downloadFiles([target], call);
      const verified =
        read?.content != null &&
        back?.content != null &&
        Buffer.compare(read.content, back.content) === 0;
      if (stored[0]?.error === null) arrived.push(target);
      if (verified) continue;
      for (const path of arrived) await this.delete(path);
      return refusal("conflict", target);
    }
    if (kind === "move") {
      const removed = await this.delete(from, call);
      if (removed.error) return { error: removed.error, code: removed.code };
    }
    return { path: to, files: sources.length };
  }

  async #sourcesOf(from: string): Promise<string[]> {
    const [file] = await this.downloadFiles([from]);
    if (file?.error === null) return [from];
    const { files = [] } = await this.glob("**", from);
    return files.map(({ path }) => path);
  }
}

function refusal(code: "not_found" | "already_exists" | "conflict", path: string): TransferResult {
  return { error: `The file '${path}' is in the way.`, code };
}
