/** What a deployment leaves out in `npm test`, for the options of the suite. */
export interface LeftOut {
  readonly skip?: readonly string[];
}

const full = process.env["FS_TEST_ALL"] === "1";

/**
 * What a deployment on a server leaves out whose every call takes milliseconds: the generated matrix, which takes most of
 * the time. `npm run conformance` and `FS_TEST_ALL=1` leave nothing out.
 */
export const WITHOUT_MATRIX: LeftOut = full ? {} : { skip: ["matrix/*", "peer/*"] };

/** Hundreds of calls for one rule: seconds where a call is a round trip, minutes where it is many, or a process. */
export const HUNDREDS_OF_CALLS: readonly string[] = full
  ? []
  : [
      "delete/anew",
      "glob/any-after",
      "glob/filtered-pages",
      "ls/any-after",
      "path/every-*",
      "path/ordinary-names",
      "path/ordinary-names-relocated",
      "read/pages-at-borders",
      "refusal/holds-nothing",
      "write/made-anew",
    ];

/**
 * What `npm test` leaves to `.ci/run`, by which FS_TEST_CHECKS is set, where a call is many requests or processes: rounds of
 * clients beside each other, and most of the hundreds of calls. Storages that answer sooner show them in `npm test` too.
 */
export const LEFT_TO_CHECKS: readonly string[] =
  full || process.env["FS_TEST_CHECKS"] === "1"
    ? []
    : [
        "conc/changes-in-moving-directory",
        "conc/create-against-move",
        "conc/directory-never-gone",
        "conc/edit-against-move",
        "conc/last-of-a-directory-and-new",
        "conc/move-never-gone",
        "conc/moves-*",
        "conc/newcomers-beside-copies",
        "conc/no-race-no-conflict",
        "conc/opposite-orders",
        "conc/transfers",
        "conc/versioned-beside-changes",
        "glob/filtered-pages",
        "path/ordinary-names-relocated",
        "read/pages-at-borders",
        "refusal/holds-nothing",
        "twin/write",
      ];

/** Thousands of calls with the corners of names and contents. */
export const EXPLORATIONS = "explore/*";

/**
 * A second deployment of a backend also leaves out what is long and what the first one shows: explorations, generated calls
 * beside naive twins, many changes and files, directories that go to every name, and waiting for clocks.
 */
export const VARIANT: LeftOut = full
  ? {}
  : {
      skip: [
        ...(WITHOUT_MATRIX.skip ?? []),
        EXPLORATIONS,
        "twin/*",
        "growth/*",
        "fresh/*",
        "path/ordinary-names-relocated",
        "storage/steady-times",
        "scale/batch-601",
        "scale/*-260-files",
        "scale/*-thirty-files",
      ],
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
