import type { FileModel } from "../model/file-model.js";
import { noFile, plain, refused } from "./predictions.js";
import { nameOf, SOURCE, SOURCE_TEXT, targetOf } from "./row-texts.js";
import type { Prediction, Row } from "./row.js";

type Relocation = "from" | "to" | "over";

function relocationRow(method: "move" | "copy", which: Relocation): Row {
  const overwrite = which === "over";
  return {
    ...plain,
    id: `${method}-${which}`,
    method,
    rules: ["M1", "M2", "A7"],
    need: method,
    kind: "change",
    file: false,
    beside: which === "from" ? {} : { [SOURCE]: SOURCE_TEXT },
    args: (path, _text, options) => {
      const pair = which === "from" ? [path, targetOf(nameOf(path))] : [SOURCE, path];
      if (options === undefined && !overwrite) return pair;
      const given = typeof options === "object" && options !== null ? options : {};
      return [...pair, options === null ? null : overwrite ? { overwrite, ...given } : given];
    },
    predict: (model, path) => {
      const [from, to] = which === "from" ? [path, targetOf(path)] : [SOURCE, path];
      return relocated(model, from, to, { move: method === "move", overwrite });
    },
  };
}

function relocated(
  model: FileModel,
  from: string,
  to: string,
  options: { move: boolean; overwrite: boolean },
): Prediction {
  if (from === "/") return refused("permission_denied", "invalid_argument");
  if (to === "/")
    return refused(
      "permission_denied",
      "already_exists",
      "is_directory",
      "invalid_path",
      "invalid_argument",
    );
  const problem = noFile(model, from);
  if (problem?.codes?.includes("is_directory") === false) return problem;
  const files = model.isFile(from) ? 1 : model.below(from).length;
  const verdict = model.relocate(from, to, options);
  if (verdict !== undefined) return refused(...verdict);
  return { answer: { ifGiven: { path: to, files } } };
}

/** The rows of `move` or `copy`: their source, their destination, and the same with `overwrite`. */
export function relocationRows(method: "move" | "copy"): readonly Row[] {
  return [
    relocationRow(method, "from"),
    relocationRow(method, "to"),
    relocationRow(method, "over"),
  ];
}
