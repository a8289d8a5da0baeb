// Another process with the published package: adds its own lines to one file, edit by edit.
import { PostgresBackend } from "@fs/postgres";

const [, , connectionString, namespace, name, count] = process.argv;
const backend = new PostgresBackend({ url: connectionString, namespace });
for (let n = 0; n < Number(count); n++) {
  const { error, code } = await backend.edit("/log", "<end>", `${name} ${n}\n<end>`);
  if (error !== undefined) throw new Error(`${code}: ${error}`);
  const counted = await backend.edit("/count", `${name}=${n};`, `${name}=${n + 1};`);
  if (counted.error !== undefined) throw new Error(`${counted.code}: ${counted.error}`);
}
await backend[Symbol.asyncDispose]();
