import type { BlamedLine } from "@fs/journal";
import { answer } from "../answer.js";
import type { Run } from "../context.js";
import { journalOf } from "../layers.js";
import { printable, printableText } from "../printable.js";

/** `blame`: who wrote each line of a file. */
export const run: Run = async (context, [path = ""]) => {
  const { journal } = await journalOf(context);
  return answer(context, await journal.blame(path), ({ lines }) => lines.map(lineOf));
};

function lineOf({ line, text, record, unrecorded = "before the journal" }: BlamedLine): string {
  const origin =
    record === undefined
      ? unrecorded
      : `${record.id} ${record.time} ${printable(record.caller.actor ?? "-")}`;
  return `${origin}  ${line}  ${printableText(text)}`;
}
