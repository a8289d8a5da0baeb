import { isRecord, isToolName } from "@fs/tools";
import type { FilesystemMiddlewareOptions } from "./options.js";

/** What the value of an option must be. */
interface Kind {
  readonly accepts: (value: unknown) => boolean;
  readonly is: string;
}

/** Judged where the option is read: by the backend's adapter, the staging and the settings of the tools. */
const ELSEWHERE: Kind = { accepts: () => true, is: "" };
const LIMIT: Kind = {
  accepts: (value) => typeof value === "number" && value >= 0,
  is: "a number of tokens, 0 or more, or null",
};

/** Every option, so that a misspelt one is not silently the default. */
const OPTIONS: Readonly<Record<keyof FilesystemMiddlewareOptions, Kind>> = {
  backend: ELSEWHERE,
  systemPrompt: {
    accepts: (value) => typeof value === "string" || typeof value === "function",
    is: "a text or a function that makes one",
  },
  customToolDescriptions: { accepts: isDescriptions, is: "an object of texts by tool name" },
  tools: {
    accepts: (value) => value === "all" || Array.isArray(value),
    is: "'all' or a list of tool names",
  },
  otherTools: { accepts: Array.isArray, is: "a list of tools" },
  permissions: {
    accepts: (value) => Array.isArray(value) && value.every(isRecord),
    is: "a list of rules, such as [{ operations: ['write'], paths: ['/**'], mode: 'deny' }]",
  },
  staging: ELSEWHERE,
  toolTokenLimitBeforeEvict: LIMIT,
  humanMessageTokenLimitBeforeEvict: LIMIT,
  artifactsRoot: { accepts: (value) => typeof value === "string", is: "the path of a directory" },
  tokenCounter: ELSEWHERE,
  grepMaxCount: ELSEWHERE,
  answerTokenLimit: ELSEWHERE,
  maxBinaryBytes: ELSEWHERE,
  readBeforeEdit: ELSEWHERE,
  editDiff: ELSEWHERE,
  maxExecuteTimeout: ELSEWHERE,
  onError: ELSEWHERE,
};

/**
 * Throws a TypeError for an option that does not exist, for one of the wrong type, and for options that are no object.
 * `null` is the default, or what the option says of it.
 */
export function checkOptions(options: unknown): void {
  if (!isRecord(options)) throw new TypeError("The options of the middleware must be an object.");
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(OPTIONS, name));
  if (unknown.length > 0) {
    const known = Object.keys(OPTIONS).join(", ");
    throw new TypeError(`There is no option '${unknown.join("', '")}'. The options are ${known}.`);
  }
  for (const [name, { accepts, is }] of Object.entries(OPTIONS)) {
    const value = options[name];
    if (value !== undefined && value !== null && !accepts(value))
      throw new TypeError(`'${name}' must be ${is}.`);
  }
}

/** A description of a tool that does not exist would never be read. */
function isDescriptions(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([name, text]) => isToolName(name) && (text === undefined || typeof text === "string"),
    )
  );
}
