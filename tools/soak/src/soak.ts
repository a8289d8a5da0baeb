import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audit, type Audit } from "./audit.js";
import { makeFaults, type Stage } from "./faults.js";
import { startStorage, type Storage } from "./servers.js";
import type { StorageName } from "./storage-name.js";
import { WorkerProcess } from "./worker-process.js";

export interface SoakOptions {
  readonly storages: readonly StorageName[];
  /** Processes that work side by side. */
  readonly processes: number;
  /** Milliseconds from when all of them have begun. */
  readonly ms: number;
  /** Episodes that are to end at least, in all processes together: it goes on until then. Default 0. */
  readonly episodes?: number;
  /** Milliseconds from one fault to the next, on average; `Infinity` for none. */
  readonly faultEveryMs: number;
  /** Calls that a process makes side by side on each storage. Default 2. */
  readonly streams?: number;
  /** Milliseconds between two episodes of a stream, on average. Default 250. */
  readonly pauseMs?: number;
  /** Milliseconds that a worker has to answer its last calls. Default 60,000. */
  readonly endMs?: number;
  /** The address of a module whose `wrap` is put around every backend. Default: none. */
  readonly wrapper?: string;
  /** Leaves the files and the journals in place. Default false. */
  readonly keep?: boolean;
}

export interface SoakReport extends Audit {
  /** How often each fault was made. */
  readonly faults: ReadonlyMap<string, number>;
  readonly folder: string;
}

/** Lets processes work on storages while faults are made, and audits what is stored afterwards. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), "fs-soak-"));
  const journals = join(folder, "journals");
  mkdirSync(journals);
  const storages: Storage[] = [];
  const workers: WorkerProcess[] = [];
  try {
    for (const name of options.storages) storages.push(await startStorage(name, folder));
    const killed = new Set<string>();
    const unexpected: string[] = [];
    let started = 0;
    let episodes = 0;
    const start = (): WorkerProcess =>
      new WorkerProcess(
        {
          name: `w${started++}`,
          places: storages.map(({ place }) => place),
          journals,
          streams: options.streams ?? 2,
          pauseMs: options.pauseMs ?? 250,
          ...(options.wrapper === undefined ? {} : { wrapper: options.wrapper }),
        },
        () => episodes++,
      );
    const end = (worker: WorkerProcess): void => {
      workers.splice(workers.indexOf(worker), 1);
      if (worker.unexpected !== undefined) unexpected.push(worker.unexpected);
    };
    const stage: Stage = {
      storages,
      workers,
      async replace(worker) {
        killed.add(worker.name);
        await worker.kill();
        end(worker);
        workers.push(start());
      },
    };
    for (let n = 0; n < options.processes; n++) workers.push(start());
    await Promise.all(workers.map((worker) => worker.ready()));

    const deadline = performance.now() + options.ms;
    const isOver = (): boolean =>
      performance.now() > deadline &&
      (episodes >= (options.episodes ?? 0) || !workers.some(({ running }) => running));
    const faults = await makeFaults(stage, options.faultEveryMs, isOver);
    await Promise.all(
      [...workers].map(async (worker) => {
        await worker.stop(options.endMs ?? 60_000);
        end(worker);
      }),
    );
    const places = storages.map(({ direct }) => direct);
    const { tallies, findings } = await audit(journals, places, killed);
    findings.uncaught.push(...unexpected);
    return { tallies, findings, faults, folder };
  } finally {
    await Promise.all([...workers].map((worker) => worker.kill()));
    for (const storage of storages) await storage.stop();
    if (options.keep !== true) rmSync(folder, { recursive: true, force: true });
  }
}
