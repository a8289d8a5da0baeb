import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { adaptBackendProtocol, type AnyBackendProtocol, type Filesystem } from "@fs/protocol";
import { FilesystemBackend as PeerBackend } from "deepagents";

const EDITS = 20;
const FILE = "/race.txt";

/** What became of edits of one file that were made at once. */
export interface RaceResult {
  readonly name: string;
  readonly acknowledged: number;
  /** Acknowledged edits that are in the file afterwards. */
  readonly kept: number;
}

/** The same 20 parallel edits of one file, by this project and by deepagents, each in a folder of its own. */
export async function raceBesidePeer(folder: string): Promise<readonly RaceResult[]> {
  const [ours, theirs] = [join(folder, "ours"), join(folder, "deepagents")];
  await mkdir(ours, { recursive: true });
  await mkdir(theirs, { recursive: true });
  return [
    await raceEdits("@fs/disk", new FilesystemBackend({ rootDir: ours })),
    await raceEdits("deepagents", new PeerBackend({ rootDir: theirs, virtualMode: true })),
  ];
}

/** Edits each line of a new file, all at once, and counts what was acknowledged and what is there. */
export async function raceEdits(name: string, backend: AnyBackendProtocol): Promise<RaceResult> {
  const files: Filesystem = adaptBackendProtocol(backend);
  const lines = Array.from({ length: EDITS }, (_, line) => `line ${line}: open\n`);
  const written = await files.write(FILE, lines.join(""));
  if (written.error) throw new Error(`${name}: ${written.error}`);
  const edits = await Promise.all(
    lines.map((_, line) => files.edit(FILE, `line ${line}: open`, `line ${line}: done`)),
  );
  const page = await files.read(FILE);
  const text = typeof page.content === "string" ? page.content : "";
  const acknowledged = edits.flatMap((edit, line) => (edit.error ? [] : [line]));
  const kept = acknowledged.filter((line) => text.includes(`line ${line}: done\n`));
  return { name, acknowledged: acknowledged.length, kept: kept.length };
}
