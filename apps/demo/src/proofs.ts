import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend } from "@fs/protocol";
import { pglitePool, PostgresBackend } from "@fs/postgres";
import { StateBackend } from "@fs/state";
import { askBattery, differences } from "./battery.js";
import type { Claim } from "./check-run.js";
import { raceBesidePeer } from "./race.js";
import { refuseByRule } from "./refusal.js";

/**
 * What a single agent's run cannot show: a race beside deepagents, one refusal, and the same calls on three stores.
 *
 * @param folder An empty host directory for the files of the proofs.
 * @param print Called with each line of the report.
 */
export async function proveClaims(
  folder: string,
  print: (line: string) => void,
): Promise<readonly Claim[]> {
  return [
    ...(await proveRace(folder, print)),
    ...(await proveRefusal(print)),
    ...(await proveOneAnswer(folder, print)),
  ];
}

async function proveRace(folder: string, print: (line: string) => void): Promise<Claim[]> {
  const results = await raceBesidePeer(join(folder, "race"));
  print("\n20 edits of one file on disk at the same moment:");
  for (const { name, acknowledged, kept } of results)
    print(`   ${name.padEnd(11)} ${acknowledged} acknowledged, ${kept} of them in the file`);
  const [ours] = results;
  return [
    {
      what: "all 20 parallel edits are acknowledged and in the file",
      held: ours?.acknowledged === 20 && ours.kept === 20,
    },
  ];
}

async function proveRefusal(print: (line: string) => void): Promise<Claim[]> {
  const { existing, missing, listed } = await refuseByRule();
  print("\nBehind a rule that denies /secrets/**:");
  print(`   read a file that is there:  ${existing}`);
  print(`   read one that is not:       ${missing}`);
  return [
    {
      what: "a denied path answers the same whether or not it exists",
      held: existing !== "" && existing.replace("key.txt", "") === missing.replace("none.txt", ""),
    },
    { what: "a search finds nothing behind the rule", held: listed.length === 0 },
  ];
}

async function proveOneAnswer(folder: string, print: (line: string) => void): Promise<Claim[]> {
  const database = new PGlite();
  const postgres = new PostgresBackend({ client: pglitePool(database) });
  await postgres.setup();
  const backend = new CompositeBackend(new StateBackend(), {
    "/disk/": new FilesystemBackend({ rootDir: folder }),
    "/postgres/": postgres,
  });
  try {
    const results = [
      await askBattery("LangGraph state", backend, "/battery"),
      await askBattery("a directory", backend, "/disk/battery"),
      await askBattery("PostgreSQL (PGlite)", backend, "/postgres/battery"),
    ];
    const found = differences(results);
    const calls = results[0]?.answers.length ?? 0;
    print(`\nThe same ${calls} calls on three mounts, refusals included:`);
    for (const { place, answers } of results) print(`   ${place}: ${answers.length} answers`);
    for (const difference of found) print(`   differs: ${difference}`);
    return [
      { what: `${calls} calls are answered alike on three mounts`, held: found.length === 0 },
    ];
  } finally {
    await postgres.close?.();
    await database.close();
  }
}
