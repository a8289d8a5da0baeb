import { blocked, noFile, plain, refused, withOptions } from "./predictions.js";
import { UPLOADED, WRITTEN } from "./row-texts.js";
import type { Row } from "./row.js";

const encoder = new TextEncoder();

export const WRITE_ROW: Row = {
  ...plain,
  id: "write",
  rules: ["W1", "W2", "W3", "A7", "F3"],
  method: "write",
  kind: "change",
  file: true,
  versioned: true,
  args: (path, _text, options) => withOptions([path, WRITTEN], options),
  predict: (model, path) => {
    const problem = blocked(model, path);
    if (problem !== undefined) return problem;
    const verdict = model.write(path, encoder.encode(WRITTEN));
    return verdict === undefined ? { answer: { ifGiven: { path } } } : refused(...verdict);
  },
};

export const UPLOAD_ROW: Row = {
  ...plain,
  id: "uploadFiles",
  rules: ["T1", "T2", "A7", "F3"],
  method: "uploadFiles",
  need: "transfer",
  kind: "change",
  file: true,
  batch: true,
  args: (path, _text, options) => withOptions([[[path, UPLOADED.slice()]]], options),
  predict: (model, path) => {
    const problem = blocked(model, path);
    if (problem !== undefined) return problem;
    model.put(path, UPLOADED);
    return { answer: { fields: { error: null } } };
  },
};

export const DELETE_ROW: Row = {
  ...plain,
  id: "delete",
  rules: ["D1", "D2", "A7"],
  method: "delete",
  need: "delete",
  kind: "change",
  file: false,
  versioned: true,
  args: (path, _text, options) => withOptions([path], options),
  predict: (model, path) => {
    if (path === "/") return refused("permission_denied");
    const problem = noFile(model, path);
    if (problem?.codes?.includes("is_directory") === false) return problem;
    model.remove(path);
    return { answer: { ifGiven: { path } } };
  },
};
