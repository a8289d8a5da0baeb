// Uploads 10,000 files again and again until it is asked to stop: in a process of its own, so that nothing but the server is shared.
import { PostgresBackend } from "@fs/postgres";
import { batchOf } from "./scale-corpus.mjs";

const { options, directory, count } = JSON.parse(process.argv[2]);
const backend = new PostgresBackend(options);
const stop = new AbortController();
process.once("message", () => stop.abort());
const times = [];
process.send("ready");
for (let round = 0; !stop.signal.aborted; round++) {
  const start = performance.now();
  const answers = await backend.uploadFiles(batchOf(count, directory, `r${round}-`));
  const refused = answers.find(({ error }) => error !== null);
  if (refused !== undefined) throw new Error(refused.error);
  times.push(performance.now() - start);
  await new Promise((done) => setImmediate(done));
}
await backend.close();
process.send(times, () => process.disconnect());
