import { textOf } from "../eyes/tree.js";
import type { FileModel } from "../model/file-model.js";
import { matchesOf } from "../model/text-rules.js";
import { bytesOf, plain, refused, withOptions } from "./predictions.js";
import { needleOf } from "./row-texts.js";
import type { Prediction, Row } from "./row.js";

export const GLOB_ROW: Row = {
  ...plain,
  id: "glob",
  rules: ["G1", "G2", "G4"],
  method: "glob",
  kind: "read",
  file: false,
  args: (path, _text, options) => withOptions(["**", path], options),
  predict: (model, path) => searched(model, path, (paths) => ({ paths })),
};

export const GREP_ROW: Row = {
  ...plain,
  id: "grep",
  rules: ["S1", "S2", "S3", "S4"],
  method: "grep",
  kind: "read",
  file: false,
  args: (path, text, options) => {
    const needle = needleOf(text) === "" ? "needle" : needleOf(text);
    return options === undefined ? [needle, path] : [needle, path, null, null, options];
  },
  predict: (model, path, text) =>
    searched(model, path, (paths) => ({
      lines: paths.flatMap((file) => linesWith(model, file, needleOf(text) || "needle")),
    })),
};

function searched(
  model: FileModel,
  path: string,
  answer: (paths: readonly string[]) => {
    paths?: readonly string[];
    lines?: ReadonlyArray<readonly [string, number, string]>;
  },
): Prediction {
  if (model.isFile(path)) return { answer: answer([path]) };
  const files = path === "/" ? model.below("") : model.below(path);
  if (files.length === 0 && path !== "/") return refused("not_found");
  return { answer: answer(files) };
}

function linesWith(
  model: FileModel,
  path: string,
  needle: string,
): Array<[string, number, string]> {
  const text = textOf(path, bytesOf(model, path)) ?? "";
  return matchesOf(text, needle).map(([line, found]) => [path, line, found]);
}
