import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend, type Filesystem } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { askBattery, type BatteryResult, differences } from "./battery.js";
import type { Claim } from "./check-run.js";
import { raceBesidePeer, type RaceResult } from "./race.js";
import { refuseByRule } from "./refusal.js";

/** What the proofs showed, and what follows from it. */
export interface Proofs {
  readonly race: readonly RaceResult[];
  readonly battery: readonly BatteryResult[];
  readonly claims: readonly Claim[];
}

/**
 * What a single agent's run cannot show: a race beside deepagents, one refusal, and the same calls on three stores.
 *
 * @param folder An empty host directory for the files of the proofs.
 * @param postgres A backend with room below `/battery`.
 * @param print Called with each line of the report.
 */
export async function proveClaims(
  folder: string,
  postgres: Filesystem,
  print: (line: string) => void,
): Promise<Proofs> {
  const race = await raceBesidePeer(join(folder, "race"));
  const claims = [...proveRace(race, print), ...(await proveRefusal(print))];
  const battery = await askThreeStores(folder, postgres);
  return { race, battery, claims: [...claims, ...proveOneAnswer(battery, print)] };
}

function proveRace(results: readonly RaceResult[], print: (line: string) => void): Claim[] {
  print("\n20 edits of one file on disk at the same moment:");
  for (const { name, acknowledged, kept } of results)
    print(`  ${name.padEnd(11)} ${acknowledged} acknowledged, ${kept} of them in the file`);
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
  print(`  a file that is there:  ${existing}`);
  print(`  one that is not:       ${missing}`);
  return [
    {
      what: "a denied path answers the same whether or not it exists",
      held: existing !== "" && existing.replace("key.txt", "") === missing.replace("none.txt", ""),
    },
    { what: "a search finds nothing behind the rule", held: listed.length === 0 },
  ];
}

async function askThreeStores(folder: string, postgres: Filesystem): Promise<BatteryResult[]> {
  const backend = new CompositeBackend(new StateBackend(), {
    "/disk/": new FilesystemBackend({ rootDir: folder }),
    "/postgres/": postgres,
  });
  return [
    await askBattery("LangGraph state", backend, "/battery"),
    await askBattery("a directory", backend, "/disk/battery"),
    await askBattery("PostgreSQL", backend, "/postgres/battery"),
  ];
}

function proveOneAnswer(results: readonly BatteryResult[], print: (line: string) => void): Claim[] {
  const found = differences(results);
  const calls = results[0]?.answers.length ?? 0;
  print(`\nThe same ${calls} calls on three mounts, refusals included:`);
  for (const { place, answers } of results)
    print(`  ${place.padEnd(16)} ${answers.length - unlike(found, place)} alike`);
  for (const difference of found) print(`  differs: ${difference}`);
  return [{ what: `${calls} calls are answered alike on three mounts`, held: found.length === 0 }];
}

function unlike(differing: readonly string[], place: string): number {
  return differing.filter((text) => text.includes(`: ${place} answers`)).length;
}
