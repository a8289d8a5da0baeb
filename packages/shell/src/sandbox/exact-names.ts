import type { VolumeCall } from "@fs/protocol/author";
import { parseStat } from "./answer.js";
import { batchesOf, type Weight } from "./batches.js";
import type { SandboxCommands } from "./sandbox-commands.js";
import { statOf } from "./scripts.js";

/** Names that one command asks for at most. */
const MAX_NAMES = 200;

/**
 * Lines of `stat` without those of names that are not UTF-8, which no path can name: such bytes come out as U+FFFD. A name that
 * really holds that character stays.
 */
export async function exactLines(
  commands: SandboxCommands,
  lines: readonly string[],
  call: VolumeCall,
): Promise<readonly string[]> {
  const doubtful = lines.filter(isDoubtful).flatMap((line) => parseStat(line)?.name ?? []);
  if (doubtful.length === 0) return lines;
  const sure = lines.filter((line) => !isDoubtful(line));
  return [...sure, ...(await statsOf(commands, doubtful, call))];
}

/** The same for names alone. */
export async function exactNames(
  commands: SandboxCommands,
  names: readonly string[],
  call: VolumeCall,
): Promise<readonly string[]> {
  const doubtful = names.filter(isDoubtful);
  if (doubtful.length === 0) return names;
  const exact = await statsOf(commands, doubtful, call);
  const sure = names.filter((name) => !isDoubtful(name));
  return [...sure, ...exact.flatMap((line) => parseStat(line)?.name ?? [])];
}

function isDoubtful(text: string): boolean {
  return text.includes("\ufffd");
}

/** What a name adds to a command, in which each of its bytes may be an escape of four. */
function weightOf(name: string): Weight {
  return { command: 4 * Buffer.byteLength(name) + 50, blob: 0 };
}

/** Looks at each name as it was read. Several that are not UTF-8 may look like one. */
async function statsOf(
  commands: SandboxCommands,
  names: readonly string[],
  { signal }: VolumeCall,
): Promise<string[]> {
  const lines: string[] = [];
  for (const batch of batchesOf([...new Set(names)], MAX_NAMES, weightOf)) {
    const variables = Object.fromEntries(batch.map((name, index) => [`n${index}`, name]));
    const body = batch.map((_, index) => statOf(`n${index}`));
    for (const line of await commands.run(variables, body, { signal })) lines.push(line);
  }
  return lines;
}
