import { setTimeout as delay } from "node:timers/promises";
import { MemoryVolume } from "@fs/protocol";
import type {
  ListQuery,
  PutCondition,
  RemoveCondition,
  VolumeEntry,
  VolumeFile,
} from "@fs/protocol/author";

/** Files in memory that can be counted and cut off, and that answer in an odd order and at odd times. All of it correct. */
export class OddVolume extends MemoryVolume {
  override readonly listsInOrder: boolean;
  requests = 0;
  down = false;
  readonly #odd: boolean;

  /** @param odd Random latency, and listings in reverse. */
  constructor(odd: boolean) {
    super();
    this.listsInOrder = !odd;
    this.#odd = odd;
  }

  async #request(): Promise<void> {
    this.requests++;
    if (this.down) throw Object.assign(new Error("connect 10.0.0.1"), { code: "ECONNREFUSED" });
    if (this.#odd) await delay(Math.random() * 2);
  }

  override async get(path: string): Promise<VolumeFile | undefined> {
    await this.#request();
    return super.get(path);
  }

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    await this.#request();
    return super.put(path, bytes, condition);
  }

  override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    await this.#request();
    return super.remove(path, condition);
  }

  override async *list(directory: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
    await this.#request();
    const entries: VolumeEntry[] = [];
    for await (const entry of super.list(directory, query)) entries.push(entry);
    yield* this.#odd ? entries.toReversed() : entries;
  }
}
