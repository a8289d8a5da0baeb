import { seededRandom } from "./random.js";
import { type Ends, type Router, runRound } from "./round.js";

export interface Campaign {
  readonly rounds: number;
  readonly seed: number;
  readonly latencyMs: number;
  /** Fresh, empty storages for each round. */
  open(round: number): Promise<Ends>;
  /** What relocates between the two. Default: the protocol's own. */
  readonly router?: Router;
}

/** Runs rounds of every form in turn, moves and copies, files and trees, with and without `overwrite` and a crash. */
export async function runCampaign({
  rounds,
  seed,
  latencyMs,
  open,
  router,
}: Campaign): Promise<string[]> {
  const problems: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const random = seededRandom(seed * 1_000_003 + round);
    const found = await runRound(await open(round), {
      kind: round % 4 === 3 ? "copy" : "move",
      tree: round % 2 === 1,
      overwrite: Math.floor(round / 4) % 2 === 1,
      crash: Math.floor(round / 8) % 2 === 1,
      random,
      latencyMs,
      ...(router === undefined ? {} : { router }),
    });
    problems.push(...found.map((problem) => `round ${round}: ${problem}`));
  }
  return problems;
}
