import type { Case } from "../cases/case.js";
import { ABORT_BEHAVIOURS } from "./abort-behaviours.js";
import { ARGUMENT_BEHAVIOURS } from "./argument-behaviours.js";
import { OPTION_BEHAVIOURS } from "./option-behaviours.js";
import { LINE_BEHAVIOURS } from "./line-behaviours.js";
import { peerCells } from "./peer-cells.js";
import type { Behaviour } from "./behaviour.js";
import { DETACHMENT_BEHAVIOURS } from "./detachment-behaviours.js";
import { PARALLEL_BEHAVIOURS } from "./parallel-behaviours.js";
import { REFUSAL_BEHAVIOURS } from "./refusal-behaviours.js";
import { cellId, requireOffered, type Row } from "./row.js";
import { ROWS } from "./rows.js";
import { SEQUEL_BEHAVIOURS } from "./sequel-behaviours.js";
import { situationCells } from "./situation-cells.js";
import { VERSION_BEHAVIOURS } from "./version-behaviours.js";

/** The columns that are rules about every method. */
export const BEHAVIOURS: readonly Behaviour[] = [
  ...ABORT_BEHAVIOURS,
  ...LINE_BEHAVIOURS,
  ...ARGUMENT_BEHAVIOURS,
  ...OPTION_BEHAVIOURS,
  ...DETACHMENT_BEHAVIOURS,
  ...VERSION_BEHAVIOURS,
  ...PARALLEL_BEHAVIOURS,
  ...REFUSAL_BEHAVIOURS,
  ...SEQUEL_BEHAVIOURS,
];

/** Every cell of the matrix that is a case. */
export const matrixCases: readonly Case[] = ROWS.flatMap((row) => [
  ...situationCells(row),
  ...peerCells(row),
  ...BEHAVIOURS.flatMap((behaviour) => behaviourCell(row, behaviour)),
]);

function behaviourCell(row: Row, behaviour: Behaviour): Case[] {
  if (behaviour.without?.(row) !== undefined) return [];
  const { id, rules, level = "core", needs = [], why, hint, patience } = behaviour;
  return [
    {
      id: cellId(row, id),
      rules: [...rules, ...row.rules],
      level,
      needs: [...(row.need === undefined ? [] : [row.need]), ...needs],
      why: `${row.method}: ${why}`,
      ...(hint === undefined ? {} : { hint }),
      ...(patience === undefined ? {} : { patience }),
      run: async (context) => {
        requireOffered(context, row);
        await behaviour.run(context, row);
      },
    },
  ];
}
