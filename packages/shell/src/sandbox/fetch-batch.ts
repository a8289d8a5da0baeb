import { isCode } from "@fs/protocol/author";
import { batchesOf, MAX_BLOB_BYTES, type Weight } from "./batches.js";
import type { SandboxCommands } from "./sandbox-commands.js";
import { BATCH_READ, INLINE_BYTES } from "./scripts.js";
import { shellParameters } from "./shell-text.js";

/** Files that one command reads. */
const MAX_FILES = 400;

/** A file as a batch read it. */
interface FetchedFile {
  readonly bytes: Uint8Array;
  /** ISO 8601, to the second. */
  readonly modifiedAt: string;
}

const weightOf = (host: string): Weight => ({ command: 4 * Buffer.byteLength(host) + 4, blob: 0 });

type Read = FetchedFile | "alone";

/**
 * Reads many files of a sandbox, host path by host path, by a few commands. `"alone"` for one that has to be read by itself:
 * it is missing, no file, changed meanwhile, or too large to travel with others. In input order.
 */
export async function fetchBatch(
  commands: SandboxCommands,
  hosts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Read[]> {
  const files: Read[] = [];
  for (const batch of batchesOf(hosts, MAX_FILES, weightOf)) {
    for (const file of await fetchOrHalve(commands, batch, signal)) files.push(file);
  }
  return files;
}

/** A batch with a file that cannot travel is cut in two, so that the others still do. */
async function fetchOrHalve(
  commands: SandboxCommands,
  hosts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Read[]> {
  if (hosts.length === 1) return ["alone"];
  const whole = await fetchTogether(commands, hosts, signal);
  if (whole !== undefined) return whole;
  const middle = hosts.length >> 1;
  const first = await fetchOrHalve(commands, hosts.slice(0, middle), signal);
  return first.concat(await fetchOrHalve(commands, hosts.slice(middle), signal));
}

async function fetchTogether(
  commands: SandboxCommands,
  hosts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<FetchedFile[] | undefined> {
  const t = commands.staging();
  const variables = { t, max: String(MAX_BLOB_BYTES) };
  let lines: string[];
  try {
    lines = await commands.run(variables, [shellParameters(hosts), ...BATCH_READ], { signal });
  } catch (error) {
    // Some file is missing, no file or unreadable, or all together are too large.
    if (isCode(error, "not_found") || isCode(error, "too_large")) return undefined;
    throw error;
  }
  const stats = lines.slice(0, hosts.length).map(statOf);
  const again = lines.slice(hosts.length, 2 * hosts.length);
  const total = stats.reduce((sum, { size }) => sum + size, 0);
  const encoded = lines.slice(2 * hosts.length).join("");
  const blob =
    total <= INLINE_BYTES
      ? Buffer.from(encoded, "base64")
      : ((await commands.take(t, { signal })) ?? new Uint8Array());
  const unchanged = stats.every(({ line }, index) => line === again[index]);
  // A file that grew, shrank or was replaced meanwhile shifts all behind it.
  if (!unchanged || blob.length !== total) return undefined;
  let at = 0;
  return stats.map(({ size, modifiedAt }) => {
    const bytes = new Uint8Array(blob.subarray(at, at + size));
    at += size;
    return { bytes, modifiedAt };
  });
}

function statOf(line: string): { line: string; size: number; modifiedAt: string } {
  const [size = "", seconds = ""] = line.split(" ");
  return { line, size: Number(size), modifiedAt: new Date(Number(seconds) * 1000).toISOString() };
}
