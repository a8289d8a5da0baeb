// A process of a soak: works on every storage until a message ends it, or a kill.
import { closeSync, openSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Filesystem } from "@fs/protocol";
import { runEpisodes } from "./episodes.js";
import { Journal } from "./journal.js";
import { openBackend } from "./open-backend.js";
import { OwnTime } from "./own-time.js";
import { RecordedCalls } from "./recorded-calls.js";
import type { Order, WorkerTask } from "./worker-task.js";

const task = JSON.parse(process.argv[2] ?? "") as WorkerTask;
const journal = new Journal(task.journals, task.name);
const time = new OwnTime();
const over = new AbortController();

for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) => {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    journal.write({ kind: "uncaught", what });
  });
// The soak has ended, in whatever way: nothing is to outlive it.
process.once("disconnect", () => process.exit(0));

/** Takes every descriptor that is left, for a while. */
async function withoutDescriptors(ms: number): Promise<void> {
  const held: number[] = [];
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EMFILE")) throw error;
  }
  await delay(ms);
  for (const descriptor of held) closeSync(descriptor);
}

const opened = await Promise.all(
  task.places.map(async (place) => ({ place, backend: await openBackend(place) })),
);
const wrap = task.wrapper === undefined ? undefined : await wrapperIn(task.wrapper);
// A process that cannot load its own modules has not begun.
process.on("message", (order: Order) => {
  if (order.kind === "stop") over.abort();
  else void withoutDescriptors(order.ms);
});
process.send?.("ready");

async function wrapperIn(url: string): Promise<(backend: Filesystem) => Filesystem> {
  const { wrap: found } = (await import(url)) as { wrap: (backend: Filesystem) => Filesystem };
  return found;
}

const pause = (): Promise<void> => {
  process.send?.("episode");
  return delay(task.pauseMs * (0.5 + Math.random()));
};
await Promise.all(
  opened.map(async ({ place, backend }) => {
    const used = wrap?.(backend) ?? backend;
    const record = { journal, time, storage: place.storage };
    const streams = Array.from({ length: task.streams }, (_, n) => `${task.name}-${n}`);
    await Promise.all(
      streams.map((stream) =>
        runEpisodes(new RecordedCalls(used, record, stream), pause, over.signal),
      ),
    );
    await backend.close?.();
  }),
);
time.close();
process.disconnect();
