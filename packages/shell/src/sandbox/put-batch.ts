import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import { errorOf } from "./answer.js";
import { batchesOf, type Weight } from "./batches.js";
import type { SandboxChannel } from "./channel.js";
import { putManyScript } from "./mutation-scripts.js";
import { lockOf, randomName, type SandboxCommands } from "./sandbox-commands.js";
import { END } from "./scripts.js";

/** Files that one command stores. */
const MAX_FILES = 400;
/** Bytes that a file adds to a command beside its path: its lock, its names and where its bytes are. */
const PER_FILE = 200;

type File = readonly [host: string, bytes: Uint8Array];

const weightOf = ([host, bytes]: File): Weight => ({
  command: 4 * Buffer.byteLength(host) + PER_FILE,
  blob: bytes.byteLength,
});

/** Stores many files, replacing, by one transfer and one command for each batch. In input order. */
export async function putBatch(
  channel: SandboxChannel,
  commands: SandboxCommands,
  files: readonly File[],
  call: VolumeCall,
): Promise<Array<PromiseSettledResult<undefined>>> {
  const outcomes: Array<PromiseSettledResult<undefined>> = [];
  await commands.prepare(call);
  for (const batch of batchesOf(files, MAX_FILES, weightOf)) {
    try {
      outcomes.push(...(await putTogether(channel, commands, batch, call)));
    } catch (reason) {
      // The batches before this one are stored; what became of this one, its error says.
      outcomes.push(...batch.map((): PromiseRejectedResult => ({ status: "rejected", reason })));
    }
  }
  return outcomes;
}

async function putTogether(
  channel: SandboxChannel,
  commands: SandboxCommands,
  files: readonly File[],
  call: VolumeCall,
): Promise<Array<PromiseSettledResult<undefined>>> {
  const b = commands.staging();
  await channel.sendFile(b, Buffer.concat(files.map(([, bytes]) => bytes)), call);
  let offset = 0;
  const entries = files.map(([host, { length }]) => {
    const entry = { host, lock: lockOf(host), name: randomName(), offset, length };
    offset += length;
    return entry;
  });
  const words = await commands.run({ b }, putManyScript(entries), call);
  return files.map((_, index): PromiseSettledResult<undefined> => {
    const word = words[index] ?? "";
    if (word === END) return { status: "fulfilled", value: undefined };
    return { status: "rejected", reason: errorOf(word) ?? new VolumeError("unavailable") };
  });
}
