import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import { directoryNeverGone, directoryToTwoPlaces } from "../../races/directory-moves.js";
import {
  changesInMovingDirectory,
  createAgainstMove,
  editAgainstMove,
  neverGone,
  noRaceNoConflict,
  toOneTarget,
  type Clients,
} from "../../races/relocations.js";
import { filesOverEachOther, oneFileToOnePlace } from "../../races/same-moves.js";
import { movesOverOne, transfers } from "../../races/two-files.js";
import type { Case } from "../case.js";

const ROUNDS = { quick: 12, full: 60, soak: 400 } as const;

/** Of moves that may have to wait for a tick of the clock. */
const SLOW_ROUNDS = { quick: 6, full: 24, soak: 160 } as const;

interface Race {
  readonly name: string;
  readonly rules: readonly [string, ...string[]];
  readonly needs: readonly string[];
  readonly why: string;
  readonly hint?: string;
  readonly rounds?: typeof ROUNDS | typeof SLOW_ROUNDS;
  readonly run: (context: CaseContext, clients: Clients, round: number) => Promise<void>;
}

const RACES: readonly Race[] = [
  {
    name: "edit-against-move",
    rules: ["A7", "M2", "M5", "M6"],
    needs: ["move"],
    why: "An edit beside a move of its file is refused, or in the file wherever it is; the file is in one place.",
    hint: "Remove the source only at the version that was copied.",
    run: editAgainstMove,
  },
  {
    name: "moves-to-one-target",
    rules: ["M1", "M4", "A7"],
    needs: ["move"],
    why: "Of several files moved to one path one arrives, and the others stay where they were.",
    hint: "Create the destination with the storage's own condition.",
    run: (context, clients, round) => toOneTarget(context, clients, round, "move"),
  },
  {
    name: "copies-to-one-target",
    rules: ["M1", "M4", "A7"],
    needs: ["copy"],
    why: "Of several files copied to one path one arrives.",
    run: (context, clients, round) => toOneTarget(context, clients, round, "copy"),
  },
  {
    name: "create-against-move",
    rules: ["W4", "M1", "A7"],
    needs: ["move", "writeMode=create"],
    why: "Of a write and a move to one path one wins, and neither content is lost.",
    run: createAgainstMove,
  },
  {
    name: "changes-in-moving-directory",
    rules: ["A7", "M2", "M5", "M8"],
    needs: ["move"],
    why: "What is edited or made in a directory that moves is there afterwards, in one place.",
    hint: "Move file by file at the version that was read, and leave what changed or arrived meanwhile.",
    run: changesInMovingDirectory,
  },
  {
    name: "move-never-gone",
    rules: ["A7", "M2"],
    needs: ["move"],
    why: "A file that moves is never in neither place.",
    hint: "Remove the source once the destination is stored.",
    run: neverGone,
  },
  {
    name: "directory-never-gone",
    rules: ["A7", "M8"],
    needs: ["move"],
    why: "A directory that moves is in one place or the other: no reader finds one of its files in neither.",
    hint: "Rename it in one step, or store every file at its destination before the first source is removed; never by way of a third place.",
    run: directoryNeverGone,
  },
  {
    name: "directory-to-two-places",
    rules: ["M5", "A7"],
    needs: ["move"],
    why: "Of a directory that is moved to two places at once each file is in one of them, or where it was, and in no second one.",
    hint: "A source that is gone when it is to be removed was moved by another call: take the copy back.",
    run: directoryToTwoPlaces,
  },
  {
    name: "moves-over-one",
    rules: ["A7", "M1", "M4"],
    needs: ["move"],
    why: "Of files that are moved over one, all that were acknowledged have left their places, one is at the other, and no reader finds it gone.",
    hint: "Replace the destination in one step, in the version that was seen, and remove the source after it.",
    run: movesOverOne,
  },
  {
    name: "one-file-to-one-place",
    rules: ["M6", "M5", "M7", "A7"],
    needs: ["move"],
    why: "Of two moves of one file to one place one has moved it, and the other takes nothing back that may be what was moved.",
    hint: "Where a version is a hash of the content, the copy of another call has the version of yours: name your writes, and look at the name before you take a copy back.",
    rounds: SLOW_ROUNDS,
    run: oneFileToOnePlace,
  },
  {
    name: "files-over-each-other",
    rules: ["M5", "A7"],
    needs: ["move"],
    why: "Of two files that are moved over each other, at once and by two calls, one is left, or both.",
    hint: "What stands at a source may be what another call has moved there, with the same content and version: look at the name of its write before it is removed, and at the copy afterwards.",
    rounds: SLOW_ROUNDS,
    run: filesOverEachOther,
  },
  {
    name: "transfers",
    rules: ["A7", "W5", "F2"],
    needs: ["versions"],
    why: "Units that go from one file to another by writes on a condition are neither lost nor made, and are never seen in both.",
    hint: "Content and version of an answer belong together; compare and replace in one step; acknowledge what readers see.",
    run: transfers,
  },
  {
    name: "no-race-no-conflict",
    rules: ["E7", "A7"],
    needs: [],
    why: "Calls that nothing overlaps are not refused for a race.",
    hint: "A version that a client remembers must be asked for again.",
    run: noRaceNoConflict,
  },
];

function raceCase(
  { name, rules, needs, why, hint, rounds = ROUNDS, run }: Race,
  across: boolean,
): Case {
  return {
    id: `${across ? "peer" : "conc"}/${name}`,
    rules,
    level: "safe",
    needs: [...needs, "consistency=strong", ...(across ? ["peer", "atomicity=clients"] : [])],
    patience: 2,
    why: across ? `Across two clients: ${why}` : why,
    ...(hint === undefined ? {} : { hint }),
    run: async (context) => {
      const clients: Clients = [context.backend, across ? await context.peer() : context.backend];
      for (const round of range(rounds[context.tier])) {
        if (context.signal.aborted) return;
        context.transcript.clear();
        await run(context, clients, round);
      }
    },
  };
}

/** Races of moves, copies and what they meet, in one client and across two. */
export const relocationRaces: readonly Case[] = RACES.flatMap((one) => [
  raceCase(one, false),
  raceCase(one, true),
]);
