import { textOf } from "../eyes/tree.js";
import { editedText, linesOf } from "../model/text-rules.js";
import { bytesOf, noFile, plain, refused, withOptions } from "./predictions.js";
import type { Row } from "./row.js";

const encoder = new TextEncoder();

function editRow(id: string, method: "edit" | "multiEdit", all: boolean, same = false): Row {
  return {
    ...plain,
    id,
    method,
    rules: [
      ...(same ? ["E9"] : []),
      method === "edit" ? "E1" : "E8",
      "E2",
      "E3",
      "E4",
      "E6",
      "A7",
      "F3",
    ],
    kind: "change",
    file: true,
    versioned: true,
    ...(method === "multiEdit" ? { need: "multiEdit" } : {}),
    args: (path, text, options) => {
      const [old, to] = editOf(text, same);
      return method === "edit"
        ? withOptions([path, old, to, all], options)
        : withOptions(
            [
              path,
              [
                { old, new: to, replaceAll: all },
                { old: to, new: `${to}!`, replaceAll: true },
                { old: `${to}!`, new: `${to}!?`, replaceAll: true },
              ],
            ],
            options,
          );
    },
    predict: (model, path, text) => {
      const problem = noFile(model, path);
      if (problem !== undefined) return problem;
      const content = textOf(path, bytesOf(model, path));
      if (content === undefined) return refused("not_text");
      const [old, to] = editOf(text, same);
      const first = editedText(content, old, to, all);
      if ("code" in first) return refused(first.code);
      let { text: after, occurrences } = first;
      if (method === "multiEdit") {
        for (const mark of ["", "!"]) {
          const next = editedText(after, `${to}${mark}`, `${to}!${mark && "?"}`, true);
          if ("code" in next) return refused(next.code);
          after = next.text;
          occurrences += next.occurrences;
        }
      }
      model.put(path, encoder.encode(after));
      return { answer: { fields: { occurrences }, ifGiven: { path } } };
    },
  };
}

/** Takes the last line that is not blank and, where there is one, the line end after it, as `\n`. */
function editOf(text: string | undefined, same: boolean): readonly [old: string, to: string] {
  const line = linesOf(text ?? "").findLast((candidate) => candidate.trim() !== "") ?? "";
  const needle = line.replace(/\r?\n$/, "");
  const followed = line.endsWith("\n");
  if (same) return [needle, needle];
  return [followed ? `${needle}\n` : needle, needle === "" ? "filled" : "<$&$$>\n"];
}

export const EDIT_ROWS: readonly Row[] = [
  editRow("edit", "edit", false),
  editRow("edit-all", "edit", true),
  editRow("edit-same", "edit", false, true),
];
export const MULTI_EDIT_ROWS: readonly Row[] = [editRow("multiEdit", "multiEdit", true)];
