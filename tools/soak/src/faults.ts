import { setTimeout as delay } from "node:timers/promises";
import type { Storage } from "./servers.js";
import type { WorkerProcess } from "./worker-process.js";

/** What a fault works on. */
export interface Stage {
  readonly storages: readonly Storage[];
  /** The workers that run now. */
  readonly workers: readonly WorkerProcess[];
  /** Kills a worker and starts another in its place. */
  replace(worker: WorkerProcess): Promise<void>;
}

/** Something that goes wrong, and has been put right when it resolves. */
export interface Fault {
  readonly name: string;
  run(): Promise<void>;
}

function oneOf<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

/** Milliseconds in a range; stalls are to be shorter and longer than a server has for its answer. */
const between = (from: number, to: number): number => from + Math.random() * (to - from);

/** What a fault is about: a storage, or the workers. */
const targetOf = ({ name }: Fault): string => name.split(" ", 1)[0] ?? name;

/** Every fault that this stage allows; each counts its own target anew. */
export function faultsOf({ storages, workers, replace }: Stage): Fault[] {
  const faults: Fault[] = [];
  const worker = oneOf(workers.filter(({ running }) => running));
  if (worker !== undefined) {
    faults.push(
      { name: "worker killed", run: () => replace(worker) },
      {
        name: "worker frozen",
        run: async () => {
          worker.freeze();
          await delay(between(300, 3000));
          worker.resume();
        },
      },
      {
        name: "worker without descriptors",
        run: async () => {
          const ms = between(100, 800);
          worker.order({ kind: "exhaust", ms });
          await delay(ms);
        },
      },
    );
  }
  for (const { place, link, restart } of storages) {
    if (link === undefined) continue;
    const during = (name: string, begin: () => unknown, ms: number): Fault => ({
      name: `${place.storage} ${name}`,
      run: async () => {
        await begin();
        await delay(ms);
        await link.heal();
      },
    });
    faults.push(
      during("connections lost", () => link.cut(), 0),
      during("connections refused", () => link.refuse(), between(200, 3000)),
      during("stalled", () => link.stall(), between(200, 6000)),
      during("answers lost", () => link.loseAnswers(), between(50, 1000)),
    );
    if (restart !== undefined)
      faults.push({ name: `${place.storage} server killed`, run: restart });
  }
  return faults;
}

/** How often it is looked whether all is over, in milliseconds. */
const LOOK_MS = 50;

/** Makes faults until it is over, about one every `everyMs`; some overlap. Answers how often each was made. */
export async function makeFaults(
  stage: Stage,
  everyMs: number,
  isOver: () => boolean,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const running = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  const nextAfter = (): number => performance.now() + between(0.3, 1.7) * everyMs;
  for (let next = nextAfter(); !isOver();) {
    await delay(LOOK_MS);
    if (performance.now() < next) continue;
    next = nextAfter();
    // One fault of a storage at a time: healing one would end another.
    const idle = faultsOf(stage).filter((each) => !running.has(targetOf(each)));
    const key = oneOf([...new Set(idle.map(targetOf))]);
    const fault = oneOf(idle.filter((each) => targetOf(each) === key));
    if (key === undefined || fault === undefined) continue;
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
    running.set(
      key,
      fault
        .run()
        .catch((error: unknown) => failures.push(error))
        .then(() => void running.delete(key)),
    );
  }
  await Promise.all(running.values());
  if (failures.length > 0) throw new AggregateError(failures, "A fault could not be put right.");
  return counts;
}
