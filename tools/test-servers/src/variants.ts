import { LONG_EVERYWHERE, LONG_WHERE_CALLS_ARE_MANY } from "./long-cases.js";
import { checks, full, notThisTime, threeQuarters } from "./turns.js";

/** What a deployment leaves out in `npm test`, for the options of the suite. */
export interface LeftOut {
  readonly skip?: readonly string[];
}

/**
 * What a deployment on a server leaves out whose every call takes milliseconds: the generated matrix, which takes most of
 * the time. `npm run conformance` and `FS_TEST_ALL=1` leave nothing out.
 */
export const WITHOUT_MATRIX: LeftOut = full ? {} : { skip: ["matrix/*", "peer/*"] };

/** Hundreds of calls for one rule: seconds where a call is a round trip, minutes where it is many, or a process. */
export const HUNDREDS_OF_CALLS: readonly string[] = full
  ? []
  : [
      "*/any-after",
      "*/begins-late",
      "*/many-read-before",
      "*/names-from-first-to-last",
      "*/pages-after-*",
      "delete/anew",
      "delete/last-of-a-directory",
      "edit/found-across-its-ends",
      "encoding/whole-at-every-size",
      "glob/by-name-after-changes",
      "glob/filtered-pages",
      "grep/beyond-many-media",
      "grep/names-of-every-object",
      "guard/asked-otherwise",
      "guard/many-at-once",
      "path/every-*",
      "path/ordinary-names",
      "path/ordinary-names-relocated",
      "read/pages-at-borders",
      "refusal/holds-nothing",
      "upload/same-path-far-apart",
      "version/of-large-contents",
      "write/files-that-tools-obey",
      "write/made-anew",
      "write/texts-with-meaning",
    ];

/**
 * What `npm test` leaves to `.ci/run`, by which FS_TEST_CHECKS is set, where a call is many requests or processes: rounds of
 * clients beside each other, and most of the hundreds of calls. There they take turns. Storages that answer sooner show them in
 * `npm test` too.
 */
export const LEFT_TO_CHECKS: readonly string[] =
  full || checks ? notThisTime(LONG_WHERE_CALLS_ARE_MANY) : LONG_WHERE_CALLS_ARE_MANY.flat();

/** Thousands of calls with the corners of names and contents. */
export const EXPLORATIONS = "explore/*";

/**
 * What is long, which a slow deployment leaves out: the matrix, hundreds of calls for one rule, explorations, generated calls beside
 * naive twins, many changes and files, and waiting for clocks.
 */
export const SHORT: LeftOut = full
  ? {}
  : {
      skip: [
        ...(WITHOUT_MATRIX.skip ?? []),
        ...HUNDREDS_OF_CALLS,
        EXPLORATIONS,
        "twin/*",
        "growth/*",
        "fresh/*",
        "storage/steady-times",
        "scale/batch-601",
        "scale/*-260-files",
        "scale/*-thirty-files",
      ],
    };

/** The groups of cases in two halves that take about as long as each other. */
const HALVES: readonly [readonly string[], readonly string[]] = [
  [
    "conc",
    "copy",
    "delete",
    "edit",
    "found",
    "multi-edit",
    "path",
    "stat",
    "transfer",
    "upload",
    "version",
    "write",
  ],
  [
    "capability",
    "durable",
    "encoding",
    "exec",
    "fault",
    "glob",
    "grep",
    "guard",
    "hooks",
    "ls",
    "model",
    "move",
    "raw",
    "read",
    "refusal",
    "scale",
    "storage",
    "symlink",
    "watch",
    "wrap",
  ],
];

/** The groups of cases that wait for the next change in `.ci/run`, where a further deployment asks the other half. */
export const WAITING_GROUPS: readonly string[] = notThisTime(HALVES).map((group) => `${group}/*`);

/** A second deployment of a backend leaves out what is long and what the first one shows, and what waits for the next change. */
export const VARIANT: LeftOut =
  SHORT.skip === undefined
    ? {}
    : {
        skip: [...SHORT.skip, ...WAITING_GROUPS, ...threeQuarters(LONG_EVERYWHERE)],
      };

/** Situations of the matrix that are decided above the storage, by code that every backend of ours has in common. */
const DECIDED_ABOVE = [
  "bad-paths",
  "wrong-types",
  "null-options",
  "strange-options",
  "unknown-options",
  "option-types",
  "undefined-options",
  "arguments-in-flight",
  "results-overwritten",
  "refusals-overwritten",
  "frozen-arguments",
  "in-parallel",
  "live-signal",
  "error-names-path",
  "answers",
  "arguments-first",
  "results-kept",
  "contents-overwritten",
  "resembling-texts",
  "refused-by-content",
];

/** Contents and names that are bytes like others to a storage that keeps bytes. */
const OF_ONE_KIND = [
  "crlf",
  "mixed-ends",
  "no-final-newline",
  "byte-order-mark",
  "blank",
  "dollars",
  "nul",
  "invalid-utf8",
  "media",
  "many-lines",
  "prototype",
  "dots",
  "escapes",
  "siblings",
  "deep",
  "other-separators",
  "nul-late",
  "cut-off-utf8",
  "media-capitals",
  "media-empty",
  "only-dots",
  // Each name once more, where nothing has it yet.
  "new",
];

/** Memory runs every cell of the matrix; the other storages run those that they decide themselves. */
export const BESIDE_MEMORY: LeftOut = full
  ? {}
  : { skip: [...DECIDED_ABOVE, ...OF_ONE_KIND].map((situation) => `matrix/*-${situation}`) };
