import { type Filesystem, MemoryBackend } from "@fs/protocol";
import { KeyedQueue } from "@fs/protocol/async";
import { StagingBackend } from "@fs/staging";
import { bytes } from "@fs/test-servers/contents";
import { describe, expect, test } from "vitest";
import { inBase, splitStaging } from "./split-staging.js";
import { ALL } from "./splits.js";
import { type Answer, everyOrder, type Meeting, StoppingClient } from "./stops.js";

/** Calls of the storages that each change makes at least: as often the other one comes in between. */
const LEAST = 6;

const NAMES = ["a", "b/c"];
const SOURCES = NAMES.map((name) => `/from/${name}`);

type Change = (backend: Filesystem, to: string) => Promise<Answer>;

async function upload(backend: Filesystem, ...paths: string[]): Promise<Answer> {
  const answers = await backend.uploadFiles?.(paths.map((path) => [path, bytes("new")]));
  return answers?.at(-1) ?? {};
}

const movesOne: Change = async (backend, to) => (await backend.move?.("/one", to)) ?? {};

const AS_FILE: Readonly<Record<string, Change>> = {
  write: (backend, to) => backend.write(to, "new"),
  "an upload": (backend, to) => upload(backend, to),
  "an upload of two files": (backend, to) => upload(backend, "/other", to),
  "a move of a file": movesOne,
};

const AS_DIRECTORY: Readonly<Record<"move" | "copy", Change>> = {
  move: async (backend, to) => (await backend.move?.("/from", to)) ?? {},
  copy: async (backend, to) => (await backend.copy?.("/from", to)) ?? {},
};

/** Opens a client: all of its changes are staged, or half of them, as the suite does it to split directories between the layers. */
type Open = (base: Filesystem, upper: Filesystem, turns: KeyedQueue) => Filesystem;
const whole: Open = (base, upper) => new StagingBackend(base, { upper });

interface Storage {
  readonly name: string;
  readonly open: Open;
  /** Where the directory goes, and the file. */
  readonly to: string;
  /** The sources that are in the base. The others are staged. */
  readonly based: readonly string[];
  /** Files of the base that were where the directory goes, and the path whose removal is staged. */
  readonly removed?: readonly [files: readonly string[], path: string];
}

/** A storage that puts a file at some path into the base or not, and so many of those below it. */
function split(name: string, file: boolean, below: number): Storage {
  const isIt = (to: string): boolean =>
    inBase(to) === file && NAMES.filter((one) => inBase(`${to}/${one}`)).length === below;
  let n = 0;
  while (!isIt(`/to${n}`)) n++;
  return { name: `split, ${name}`, open: splitStaging, to: `/to${n}`, based: ["/from/a"] };
}

const STORAGES: readonly Storage[] = [
  { name: "all files in the base", open: whole, to: "/to", based: SOURCES },
  { name: "all files staged", open: whole, to: "/to", based: [] },
  { name: "half of the files in the base", open: whole, to: "/to", based: ["/from/a"] },
  {
    name: "where a file of the base was removed",
    open: whole,
    to: "/to",
    based: ["/from/a"],
    removed: [["/to"], "/to"],
  },
  {
    name: "where a directory of the base was removed",
    open: whole,
    to: "/to",
    based: ["/from/a"],
    removed: [["/to/a", "/to/z"], "/to"],
  },
  split("the directory goes into the base", false, 2),
  split("the file goes into the base", true, 0),
  split("both go into the base", true, 2),
  split("half of the directory goes into the base", false, 1),
];

function isDone({ error }: Answer): boolean {
  return (error ?? null) === null;
}

describe.each(STORAGES)("a file where a directory goes, $name (W2, A7)", (storage) => {
  const { open, to, based, removed: [before, removed] = [[], undefined] } = storage;
  const pairs = Object.entries(AS_FILE).flatMap(([fileName, file]) =>
    (["move", "copy"] as const).map((kind) => ({ fileName, file, kind })),
  );

  test.each(pairs)("$fileName, and a $kind of a directory", async ({ file, kind }) => {
    const make = (fileFirst: boolean) => async (): Promise<Meeting> => {
      const [base, upper, turns] = [new MemoryBackend(), new MemoryBackend(), new KeyedQueue()];
      await base.uploadFiles([...before, ...based, "/one"].map((path) => [path, bytes("old")]));
      const staging = new StagingBackend(base, { upper });
      if (removed !== undefined) await staging.delete(removed);
      const staged = SOURCES.filter((path) => !based.includes(path));
      await staging.uploadFiles(staged.map((path) => [path, bytes("old")]));
      const doing = (change: Change) => {
        const client = new StoppingClient();
        const backend = open(client.through(base), client.through(upper), turns);
        return { client, change: () => change(backend, to) };
      };
      const [creating, going] = [doing(file), doing(AS_DIRECTORY[kind])];
      return {
        first: fileFirst ? creating : going,
        second: fileFirst ? going : creating,
        witness: open(base, upper, turns),
      };
    };
    for (const fileFirst of [true, false]) {
      const orders = await everyOrder(ALL, make(fileFirst), async (answers, { witness }, when) => {
        const [made, gone] = (fileFirst ? answers : answers.toReversed()).map(isDone);
        const found = (await witness.glob("**/*", "/")).files?.map(({ path }) => path);
        const expected = [
          ...(made === true ? [to] : []),
          ...(gone === true ? NAMES.map((name) => `${to}/${name}`) : []),
          ...(gone === true && kind === "move" ? [] : SOURCES),
          ...(made === true && file === movesOne ? [] : ["/one"]),
        ];
        expect(
          {
            both: made === true && gone === true,
            files: found?.filter((path) => path !== "/other"),
          },
          `${when}: ${JSON.stringify(answers)}`,
        ).toEqual({ both: false, files: expected.toSorted() });
      });
      expect(orders).toBeGreaterThan(LEAST);
    }
  });
});
