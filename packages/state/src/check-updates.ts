import { InvalidUpdateError } from "@langchain/langgraph";
import { isCanonicalFilePath } from "@fs/protocol/author";
import { isStoredFile } from "./file-data.js";
import { operationsIn } from "./operations.js";

/** Returns whether an update is what the `files` channel is sent: a record of files, or well-formed operations. */
export function isUpdate(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const batch = operationsIn(value);
  if (batch === undefined) return Object.values(value).every(isFileOrNull);
  return (
    isPlainObject(batch) &&
    typeof batch["step"] === "string" &&
    Array.isArray(batch["operations"]) &&
    batch["operations"].every(isOperation)
  );
}

/** Refuses operations that this package did not make. Throws LangGraph's InvalidUpdateError, which ends the run. */
export function refuseMalformed(update: unknown): void {
  if (isPlainObject(update) && (operationsIn(update) === undefined || isUpdate(update))) return;
  throw new InvalidUpdateError(
    "An update of 'files' must be an object of files, or null, by absolute path.",
  );
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOperation(value: unknown): boolean {
  if (!isPlainObject(value) || !Number.isSafeInteger(value["n"])) return false;
  if ("put" in value) return isPath(value["put"]) && isStoredFile(value["file"]);
  if ("edit" in value) return isPath(value["edit"]) && isEdit(value);
  if ("remove" in value) return isPath(value["remove"]);
  if ("removeBelow" in value) return value["removeBelow"] === "/" || isPath(value["removeBelow"]);
  return isPlainObject(value["merge"]) && Object.values(value["merge"]).every(isFileOrNull);
}

function isPath(value: unknown): boolean {
  return typeof value === "string" && isCanonicalFilePath(value);
}

function isEdit({ edits, at, else: outcome }: Record<string, unknown>): boolean {
  return (
    typeof at === "string" &&
    (outcome === undefined || isStoredFile(outcome)) &&
    Array.isArray(edits) &&
    edits.every(isReplacement)
  );
}

function isReplacement(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  return (
    typeof value["old"] === "string" &&
    typeof value["new"] === "string" &&
    typeof value["replaceAll"] === "boolean"
  );
}

function isFileOrNull(value: unknown): boolean {
  return value === null || isStoredFile(value);
}
