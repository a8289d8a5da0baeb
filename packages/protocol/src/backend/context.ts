import type { Creations } from "../concurrency/creations.js";
import type { KeyedQueue } from "../concurrency/keyed-queue.js";
import type { Volume } from "../spi/volume.js";

/** What every operation of a {@link VolumeBackend} works with. */
export interface VolumeContext {
  readonly volume: Volume;
  readonly writeMode: "create" | "overwrite";
  /** Bytes that a file may have. */
  readonly maxFileBytes: number;
  /** Calls on the volume under way at once, per operation. */
  readonly concurrency: number;
  /** Puts the mutations of one path in a row, unless the volume does. */
  readonly queue: Pick<KeyedQueue, "run">;
  /** Keeps creations that would stand in each other's way apart, where the backend looks for what does. */
  readonly creations: Pick<Creations, "run">;
}

/** In place of both, of a volume that orders mutations itself, or refuses collisions, and of a task that holds its place already. */
export const AT_ONCE: VolumeContext["queue"] & VolumeContext["creations"] = {
  run: <T>(_: unknown, task: () => Promise<T>) => task(),
};
