import { show } from "../report/render.js";
import { CheckFailure } from "./check-failure.js";

/** What a field of an answer may be, wherever it stands. */
type Kind = "text" | "version" | "count" | "flag" | "texts" | "time";

/** The fields of answers, by name: each means the same in every method. */
const FIELDS: Readonly<Record<string, Kind>> = {
  version: "version",
  size: "count",
  occurrences: "count",
  line: "count",
  totalLines: "count",
  startLine: "count",
  endLine: "count",
  nextOffset: "count",
  truncated: "flag",
  is_dir: "flag",
  nextAfter: "text",
  mimeType: "text",
  text: "text",
  before: "texts",
  after: "texts",
  warnings: "texts",
  modified_at: "time",
  created_at: "time",
};

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  version: (value) => typeof value === "string" && value !== "",
  count: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  flag: (value) => typeof value === "boolean",
  texts: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
  time: (value) => typeof value === "string" && (value === "" || TIME.test(value)),
};

const NAMES: Readonly<Record<Kind, string>> = {
  text: "a text",
  version: "a text that is not empty",
  count: "a whole number, 0 or more",
  flag: "true or false",
  texts: "a list of texts",
  time: "a time in ISO 8601",
};

/** The rule that a wrong field breaks. */
const RULES: Readonly<Record<string, string>> = {
  version: "F2",
  size: "L2",
  modified_at: "L2",
  created_at: "R9",
  line: "S1",
  text: "S2",
  before: "S8",
  after: "S8",
  nextAfter: "L5",
  mimeType: "R8",
};

/** Checks that every field of an answer that is there has the type of the protocol. */
export function checkTypes(method: string, answer: Readonly<Record<string, unknown>>): void {
  for (const record of recordsOf(answer)) {
    for (const [name, value] of Object.entries(record)) {
      const kind = FIELDS[name];
      if (kind === undefined || value === undefined || value === null || IS[kind](value)) continue;
      throw new CheckFailure(`'${name}' in an answer of ${method} must be ${NAMES[kind]}.`, {
        rule: RULES[name] ?? "A2",
        difference: `+ received ${show(value, 200)}`,
      });
    }
  }
}

/** The answer, and what is in it. */
function recordsOf(
  answer: Readonly<Record<string, unknown>>,
): ReadonlyArray<Readonly<Record<string, unknown>>> {
  const { files, matches, info, data } = answer;
  const inner = [
    ...(Array.isArray(files) ? files : []),
    ...(Array.isArray(matches) ? matches : []),
  ];
  return [answer, ...inner, info, data].filter(
    (value): value is Record<string, unknown> =>
      typeof value === "object" && value !== null && !(value instanceof Uint8Array),
  );
}
