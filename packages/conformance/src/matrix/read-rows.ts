import { childrenOf, contentOf, pageOf, textOf } from "../eyes/tree.js";
import { linesOf } from "../model/text-rules.js";
import { bytesOf, plain, refused, noFile, withOptions } from "./predictions.js";
import type { Row } from "./row.js";

export const LS_ROW: Row = {
  ...plain,
  id: "ls",
  rules: ["L1", "L3", "L4"],
  method: "ls",
  kind: "read",
  file: false,
  args: (path, _text, options) => withOptions([path], options),
  predict: (model, path) => {
    if (model.isFile(path)) return refused("not_directory");
    if (path !== "/" && !model.isDirectory(path)) return refused("not_found");
    return { answer: { paths: childrenOf(model.files, path) } };
  },
};

export const READ_ROW: Row = {
  ...plain,
  id: "read",
  rules: ["R1", "R5", "R6"],
  method: "read",
  kind: "read",
  file: true,
  args: (path, _text, options) => (options === undefined ? [path] : [path, 0, 500, options]),
  predict: (model, path) =>
    noFile(model, path) ?? {
      answer: { fields: { content: pageOf(path, bytesOf(model, path)) } },
    },
};

export const READ_PAGE_ROW: Row = {
  ...plain,
  id: "read-page",
  rules: ["R1", "R2", "R5", "R6"],
  method: "read",
  kind: "read",
  file: true,
  args: (path, _text, options) => withOptions([path, 0, 1], options),
  predict: (model, path) => {
    const problem = noFile(model, path);
    if (problem !== undefined) return problem;
    const bytes = bytesOf(model, path);
    const text = textOf(path, bytes);
    const content = pageOf(path, bytes, 0, 1);
    if (text === undefined || text === "") return { answer: { fields: { content } } };
    const totalLines = linesOf(text).length;
    const ifGiven = {
      totalLines,
      startLine: 1,
      endLine: 1,
      nextOffset: totalLines > 1 ? 1 : undefined,
    };
    return { answer: { fields: { content }, ifGiven } };
  },
};

export const READ_RAW_ROW: Row = {
  ...plain,
  id: "readRaw",
  rules: ["R9", "R5"],
  method: "readRaw",
  kind: "read",
  file: true,
  args: (path, _text, options) => withOptions([path], options),
  predict: (model, path) =>
    noFile(model, path) ?? {
      answer: { fields: { "data.content": contentOf(path, bytesOf(model, path)) } },
    },
};

export const DOWNLOAD_ROW: Row = {
  ...plain,
  id: "downloadFiles",
  rules: ["T1", "T2"],
  method: "downloadFiles",
  need: "transfer",
  kind: "read",
  file: true,
  batch: true,
  args: (path, _text, options) => withOptions([[path]], options),
  predict: (model, path) =>
    noFile(model, path) ?? {
      answer: { fields: { content: bytesOf(model, path), error: null } },
    },
};

export const STAT_ROW: Row = {
  ...plain,
  id: "stat",
  rules: ["F1", "L2"],
  method: "stat",
  need: "stat",
  kind: "read",
  file: false,
  args: (path, _text, options) => withOptions([path], options),
  predict: (model, path) => {
    if (model.isFile(path))
      return {
        answer: { fields: { "info.size": bytesOf(model, path).length, "info.path": path } },
      };
    const isDirectory = path === "/" || model.isDirectory(path);
    return isDirectory ? { answer: { fields: { "info.is_dir": true } } } : refused("not_found");
  },
};
