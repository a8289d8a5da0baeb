// Uploads 10,000 files again and again until it is asked to stop: in a thread of its own, so that nothing but the server is shared.
import { parentPort, workerData } from "node:worker_threads";
import { PostgresBackend } from "@fs/postgres";
import { batchOf } from "./scale-corpus.mjs";

const { options, directory, count } = workerData;
const backend = new PostgresBackend(options);
let stopped = false;
parentPort.once("message", () => {
  stopped = true;
});
const times = [];
parentPort.postMessage("ready");
for (let round = 0; !stopped; round++) {
  const start = performance.now();
  const answers = await backend.uploadFiles(batchOf(count, directory, `r${round}-`));
  const refused = answers.find(({ error }) => error !== null);
  if (refused !== undefined) throw new Error(refused.error);
  times.push(performance.now() - start);
  await new Promise((done) => setImmediate(done));
}
await backend.close();
parentPort.postMessage(times);
