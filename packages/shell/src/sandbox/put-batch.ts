import {
  VolumeError,
  type VolumeCall,
  type VolumePut,
  type VolumeUpload,
} from "@fs/protocol/author";
import { asConflict, errorOf } from "./answer.js";
import { batchesOf, type Weight } from "./batches.js";
import { comparableVersion, putScript, putWayOf } from "./put-scripts.js";
import { lockOf, sha256, type SandboxCommands } from "./sandbox-commands.js";
import { END } from "./scripts.js";
import { TEMPORARY } from "./temporary.js";

/** Files that one command stores. */
const MAX_FILES = 400;
/** Bytes that a file adds to a command beside its path: its lock, its names and where its bytes are. */
const PER_FILE = 300;

/** Where a file goes, and on which condition. */
export type HostUpload = readonly [host: string, bytes: Uint8Array, condition: VolumeUpload[2]];
type Outcomes = Array<PromiseSettledResult<VolumePut>>;

const weightOf = ([host, bytes]: HostUpload): Weight => ({
  command: 4 * Buffer.byteLength(host) + PER_FILE,
  blob: bytes.byteLength,
});

/** Stores files, each on its condition, by one transfer and one command for each batch. In input order. */
export async function putBatch(
  commands: SandboxCommands,
  files: readonly HostUpload[],
  call: VolumeCall,
): Promise<Outcomes> {
  const outcomes: Outcomes = [];
  await commands.prepare(call);
  for (const batch of batchesOf(files, MAX_FILES, weightOf)) {
    try {
      outcomes.push(...(await putTogether(commands, batch, call)));
    } catch (reason) {
      // The batches before this one are stored; what became of this one, its error says.
      outcomes.push(...batch.map((): PromiseRejectedResult => ({ status: "rejected", reason })));
    }
  }
  return outcomes;
}

async function putTogether(
  commands: SandboxCommands,
  files: readonly HostUpload[],
  call: VolumeCall,
): Promise<Outcomes> {
  const entries = files.map(([host, bytes, condition = {}]) => {
    const [how, version] = [putWayOf(condition), comparableVersion(condition.ifVersion)];
    return { host, lock: lockOf(host), name: TEMPORARY.fresh(), how, version, bytes };
  });
  const contents = files.map(([, bytes]) => bytes);
  const [only = new Uint8Array()] = contents;
  const b = await commands.send(contents.length === 1 ? only : Buffer.concat(contents), call);
  const words = await commands.change({ b }, putScript(entries), call);
  return files.map(([, bytes, condition], index) => {
    const word = words[index] ?? "";
    if (word === END) return { status: "fulfilled", value: { version: sha256(bytes) } };
    const error = errorOf(word) ?? new VolumeError("unavailable");
    return { status: "rejected", reason: asConflict(putWayOf(condition ?? {}), error) };
  });
}
