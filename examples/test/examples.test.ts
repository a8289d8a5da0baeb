import { afterEach, expect, test, vi } from "vitest";

/** Each program, and what it prints. */
const programs: ReadonlyArray<
  readonly [name: string, run: () => Promise<unknown>, printed: readonly string[]]
> = [
  [
    "store-per-user",
    () => import("../src/store-per-user.js"),
    [
      "ann@example.com, thread 1: Successfully wrote to '/likes.md'",
      "ann@example.com, thread 2: @@ lines 1-1 of 1 @@\ntea",
      "bob@example.com, thread 3: Error: '/likes.md' was not found.",
    ],
  ],
  [
    "store-per-assistant",
    () => import("../src/store-per-assistant.js"),
    [
      "writer, thread 1: Successfully wrote to '/style.md'",
      "writer, thread 2: @@ lines 1-1 of 1 @@\nBe brief.",
      "lawyer, thread 3: Error: '/style.md' was not found.",
    ],
  ],
  [
    "store-per-thread",
    () => import("../src/store-per-thread.js"),
    [
      "thread 1: Successfully wrote to '/draft.md'",
      "thread 1: @@ lines 1-1 of 1 @@\nChapter one",
      "thread 2: Error: '/draft.md' was not found.",
      "outside: Chapter one",
    ],
  ],
  [
    "composite-memories",
    () => import("../src/composite-memories.js"),
    [
      `thread 1: ["Successfully wrote to '/draft.md'","Successfully wrote to '/memories/likes.md'"]`,
      String.raw`thread 1: ["@@ lines 1-1 of 1 @@\na draft","/draft.md (7 bytes)\n/memories/ (directory)"]`,
      String.raw`thread 2: ["@@ lines 1-1 of 1 @@\ntea","/memories/ (directory)"]`,
    ],
  ],
  [
    "state-across-turns",
    () => import("../src/state-across-turns.js"),
    [
      "Wrote /plan.md",
      '"1. read"',
      "Edited /plan.md (1 replaced)",
      String.raw`"1. read\n2. write"`,
      "1→1. read\n2→2. write",
      String.raw`"1. read\n2. write"`,
    ],
  ],
  [
    "composite-disk-permissions",
    () => import("../src/composite-disk-permissions.js"),
    [
      "Wrote /draft.md",
      "/project/docs/",
      "Error: Access to '/project/secrets.env' is denied.",
      "Error: Access to '/project/main.ts' is denied.",
      "1→# Tiltle",
      "Edited /project/docs/index.md (1 replaced)",
      "in the state: /draft.md",
      "on disk: # Title",
    ],
  ],
];

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(programs)("%s runs and prints what it should", async (_, run, printed) => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await run();
  expect(log.mock.calls.map(([line]: unknown[]) => line)).toEqual(printed);
});
