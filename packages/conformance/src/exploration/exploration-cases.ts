import type { Case } from "../cases/case.js";
import { answerAfterRestarts } from "./after-restart.js";
import { explore } from "./explore.js";
import { answerWithoutHistory } from "./without-history.js";

/** Names that a model can keep apart only where the storage does. */
const EXACT_NAMES = ["names.caseSensitive", "names.unicode=preserve"];

const HINT =
  "The calls below are what is left of a sequence that disagrees, and the last of them is the one. Keep it as a case of your own.";

const HISTORY_HINT =
  "Whatever is kept of an earlier answer, or shared with another call, belongs to all of its arguments, and ends with the change.";

/** Long walks through the corners of names, contents and extents. */
export const explorationCases: readonly Case[] = [
  {
    id: "explore/corners",
    rules: ["A7", "P3", "P4", "F2"],
    level: "core",
    needs: EXACT_NAMES,
    patience: 8,
    why: "Long sequences of calls of every method, with names, contents and extents that break careless code, answer what the rules say, one by one.",
    hint: HINT,
    run: (context) => explore(context, async () => [context.backend]),
  },
  {
    id: "explore/corners-of-clients",
    rules: ["A7", "P3", "P4", "F2"],
    level: "safe",
    needs: ["peer", "consistency=strong", "atomicity=clients", ...EXACT_NAMES],
    patience: 8,
    why: "The same where each call is made by either of two clients.",
    hint: `${HINT} What one client remembers, the other has changed.`,
    run: (context) => explore(context, async () => [context.backend, await context.peer()]),
  },
  {
    id: "explore/without-history",
    rules: ["A7", "A4", "F1"],
    level: "core",
    needs: ["consistency=strong", ...EXACT_NAMES],
    patience: 2,
    why: "What is said of files after a change, by looks of every kind that were made before it too, is what is said of equal files that were stored a moment ago.",
    hint: HISTORY_HINT,
    run: (context) => answerWithoutHistory(context, async () => [context.backend]),
  },
  {
    id: "explore/without-history-of-clients",
    rules: ["A7", "A4", "F1"],
    level: "safe",
    needs: ["peer", "consistency=strong", "atomicity=clients", ...EXACT_NAMES],
    patience: 2,
    why: "The same where one client looks and another one changes.",
    hint: HISTORY_HINT,
    run: (context) =>
      answerWithoutHistory(context, async () => [context.backend, await context.peer()]),
  },
  {
    id: "explore/after-restarts",
    rules: ["A7", "F1", "F2", "L2", "L4", "W5", "W7"],
    level: "durable",
    needs: ["durable", "reopen", "consistency=strong", ...EXACT_NAMES],
    patience: 2,
    why: "Every look at files answers after a restart what it answered before, whatever changes have led to them, and no version comes twice.",
    hint: "What is made at the start, such as an index, a counter or a clock, is made of all that is stored: of copies, hidden and empty files, and of what is gone.",
    run: answerAfterRestarts,
  },
];
