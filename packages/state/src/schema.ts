import { DeltaValue, ReducedValue, StateSchema } from "@langchain/langgraph";
import { z } from "zod/v4";
import { checkFieldOptions } from "./check-options.js";
import { isPlainObject, isUpdate } from "./check-updates.js";
import { isStoredFile, type FilesRecord } from "./file-data.js";
import { installFilesChannel, MAX_SUPERSTEPS } from "./files-channel.js";
import { reduceFiles, reduceFilesOneByOne, type FilesInput } from "./reducer.js";

const FILE_SCHEMA = {
  type: "object",
  properties: {
    content: {},
    reference: { type: "string" },
    size: { type: "integer" },
    encoding: { type: "string" },
    mimeType: { type: "string" },
    created_at: { type: "string" },
    modified_at: { type: "string" },
  },
};

const jsonSchemaExtra = { type: "object", additionalProperties: FILE_SCHEMA };

const files = z.custom<FilesRecord>(isFilesRecord, "files must be an object of files by path");
const valueSchema = files.default(() => ({}));
const inputSchema = z
  .custom<NonNullable<FilesInput>>(isUpdate, "files must be an object of files, or null, by path")
  .optional();

function isFilesRecord(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every(isStoredFile);
}

/** How `createAgent` knows a field that has a reducer: the mark that `ReducedValue` looks for. */
const REDUCED_VALUE = Symbol.for("langgraph.state.reduced_value");

class FilesDeltaValue extends DeltaValue<FilesRecord, FilesInput> {
  constructor(snapshotFrequency: number) {
    installFilesChannel();
    super(valueSchema, { inputSchema, reducer: reduceFiles, snapshotFrequency, jsonSchemaExtra });
    Object.defineProperty(this, REDUCED_VALUE, { value: true });
  }
}

/**
 * The `files` field for a graph's state. A checkpoint stores what a step changed, and at least every
 * `snapshotFrequency` supersteps (default 16) all files; smaller ones sooner, because a run loads every checkpoint back to the
 * last that has them all.
 *
 * @example
 * const State = new StateSchema({ messages: MessagesValue, files: filesValue() });
 */
export function filesValue(
  options: { snapshotFrequency?: number } = {},
): DeltaValue<FilesRecord, FilesInput> {
  checkFieldOptions(options);
  return new FilesDeltaValue(options.snapshotFrequency ?? MAX_SUPERSTEPS);
}

/**
 * The `files` field over an ordinary reducer, for graphs that cannot use delta channels. Nothing is lost here either, but
 * every checkpoint of a step that changes a file stores all files.
 */
export function filesReducedValue(): ReducedValue<FilesRecord, FilesInput> {
  return new ReducedValue(valueSchema, {
    inputSchema,
    reducer: reduceFilesOneByOne,
    jsonSchemaExtra,
  });
}

/**
 * A state schema with nothing but the `files` field: the `stateSchema` of a middleware. One object for all, because a
 * graph takes the same field from many middlewares only once.
 */
export const filesSchema: StateSchema<{ files: DeltaValue<FilesRecord, FilesInput> }> =
  new StateSchema({ files: filesValue() });
