import {
  VolumeError,
  type VolumeCall,
  type VolumePut,
  type VolumeUpload,
} from "@fs/protocol/author";
import { asConflict, errorOf } from "./answer.js";
import { batchesOf, type Weight } from "./batches.js";
import type { SandboxChannel } from "./channel.js";
import { comparableVersion, putManyScript, putWayOf } from "./mutation-scripts.js";
import { lockOf, randomName, sha256, type SandboxCommands } from "./sandbox-commands.js";
import { END } from "./scripts.js";

/** Files that one command stores. */
const MAX_FILES = 400;
/** Bytes that a file adds to a command beside its path: its lock, its names and where its bytes are. */
const PER_FILE = 300;

/** Where a file goes, and on which condition. */
export type HostUpload = readonly [host: string, bytes: Uint8Array, condition: VolumeUpload[2]];
type Outcomes = Array<PromiseSettledResult<VolumePut | undefined>>;

const weightOf = ([host, bytes]: HostUpload): Weight => ({
  command: 4 * Buffer.byteLength(host) + PER_FILE,
  blob: bytes.byteLength,
});

/** Stores many files, each on its condition, by one transfer and one command for each batch. In input order. */
export async function putBatch(
  channel: SandboxChannel,
  commands: SandboxCommands,
  files: readonly HostUpload[],
  call: VolumeCall,
): Promise<Outcomes> {
  const outcomes: Outcomes = [];
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
  files: readonly HostUpload[],
  call: VolumeCall,
): Promise<Outcomes> {
  const b = commands.staging();
  await channel.sendFile(b, Buffer.concat(files.map(([, bytes]) => bytes)), call);
  let offset = 0;
  const entries = files.map(([host, { length }, condition = {}]) => {
    const [how, version] = [putWayOf(condition), comparableVersion(condition.ifVersion)];
    const entry = { host, lock: lockOf(host), name: randomName(), how, version, offset, length };
    offset += length;
    return entry;
  });
  const words = await commands.run({ b }, putManyScript(entries), call);
  return files.map(([, bytes, condition], index) => {
    const word = words[index] ?? "";
    if (word === END) return { status: "fulfilled", value: { version: sha256(bytes) } };
    const error = errorOf(word) ?? new VolumeError("unavailable");
    return { status: "rejected", reason: asConflict(putWayOf(condition ?? {}), error) };
  });
}
