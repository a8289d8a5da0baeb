import type { FileUploadResponse } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { countedSignal, requireNoneLeft } from "../../matrix/counted-signal.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { contentText } from "./pair-looks.js";
import { requireFeature } from "./feature.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Files of a batch that a storage may send in several parts. */
const FILES = 120;
const PATHS = range(FILES).map((n) => `/d/${String(n).padStart(3, "0")}.txt`);

/** A file of a batch that holds its own path. */
function fileOf(path: string): [string, Uint8Array] {
  return [path, encoder.encode(path)];
}

/** T1: the last content of a path wins, however far apart it comes twice. */
async function farApart(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const again = [0, 1, 25, 60];
  const texts = [
    ...PATHS.map((path) => [path, `first ${path}\n`] as const),
    ...again.map((n) => [PATHS[n] ?? "", `last ${n}\n`] as const),
  ];
  for (const time of ["first", "second"]) {
    const stored = await backend.uploadFiles(
      texts.map(([path, text]) => [path, encoder.encode(text)]),
    );
    check.equal(
      stored.map(({ path }) => path),
      texts.map(([path]) => path),
      `The paths of the answers, the ${time} time`,
      "T1",
    );
    check.equal(stored.filter(hasFailed), [], `The failures, the ${time} time`, "T1");
    const answers: ReadonlyArray<{ readonly size?: unknown; readonly version?: unknown }> = stored;
    for (const [n, { size }] of answers.entries())
      if (size !== undefined)
        check.equal(size, texts[n]?.[1].length, `The size in answer ${n}, the ${time} time`, "F3");
    const versions = answers.flatMap(({ version }) => version ?? []);
    const distinct = new Set(versions).size;
    const contents = new Set(texts.map(([, text]) => text)).size;
    check.that(
      distinct >= Math.min(versions.length, contents),
      `The answers name ${distinct} versions for ${versions.length} files of ${contents} contents.`,
      "F3",
    );
    await context.holds(Object.fromEntries(texts), backend, "T1");
  }
}

/** T1: every entry of a batch has its answer in its place, also where a path comes many times, and some are not there. */
async function downloadsFarApart(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const missing = profile.codes ? "not_found" : null;
  const [first = "", second = ""] = PATHS;
  await context.given({ [first]: "the first\n", [second]: "the second\n" });
  for (const count of [17, 65, 101, 130, 257]) {
    const asked = Array.from(
      { length: count },
      (_, n) => [first, second, "/missing.txt"][n % 7 === 3 ? 2 : n % 2] ?? first,
    );
    const answers = await backend.downloadFiles(asked);
    check.equal(
      answers.map(({ path, content, code }) => [
        path,
        content === null ? (profile.codes ? code : null) : contentText(content),
      ]),
      asked.map((path) => [
        path,
        path === first ? "the first\n" : path === second ? "the second\n" : missing,
      ]),
      `The answers to ${count} entries of which many are equal`,
      "T1",
    );
  }
}

/** What becomes of one file of a batch: its condition, if it has one, and the code of its refusal. */
interface Turn {
  readonly condition?: (path: string) => object;
  readonly refusal?: string;
}

/** T3: each file of a long batch has a condition of its own, or none. In each round of turns the first file is new, the others are there. */
async function conditionsOfMany(context: CaseContext): Promise<void> {
  requireFeature(context, "conditionalUploads");
  const { backend, check, profile } = context;
  const versions = new Map<string, unknown>();
  const ofVersions: readonly Turn[] = [
    { condition: (path) => ({ ifVersion: versions.get(path) }) },
    { condition: () => ({ ifVersion: versions.values().next().value }), refusal: "conflict" },
  ];
  const turns: readonly Turn[] = [
    { condition: () => ({ ifAbsent: true }) },
    { condition: () => ({ ifAbsent: true }), refusal: "already_exists" },
    ...(profile.versions ? ofVersions : []),
    {},
  ];
  const files = range(265).map((n) => ({
    path: `/d/${String(n).padStart(3, "0")}.txt`,
    isNew: n % turns.length === 0,
    turn: turns[n % turns.length] ?? {},
  }));
  const there = files.filter(({ isNew }) => !isNew).map(({ path }) => fileOf(path));
  for (const answer of await backend.uploadFiles(there)) {
    check.succeeded(answer, `the upload of ${answer.path}`, "T1");
    versions.set(answer.path, answer.version);
  }

  const answers = (await backend.call("uploadFiles", [
    files.map(({ path, turn: { condition } }) => {
      const file = [path, encoder.encode(`new ${path}`)] as const;
      return condition === undefined ? file : [...file, condition(path)];
    }),
  ])) as FileUploadResponse[];
  const refusedAs = (code: unknown): unknown => (profile.codes ? code : "refused");
  check.equal(
    answers.map((answer) => [answer.path, hasFailed(answer) ? refusedAs(answer.code) : null]),
    files.map(({ path, turn: { refusal } }) => [path, refusal ? refusedAs(refusal) : null]),
    "Each path with the code of its refusal",
    "T3",
  );
  const found = await backend.downloadFiles(files.map(({ path }) => path));
  check.equal(
    found.map(({ content }) => decoder.decode(content ?? undefined)),
    files.map(({ path, turn: { refusal } }) => (refusal === undefined ? `new ${path}` : path)),
    "The contents afterwards",
    "T3",
  );
  if (!profile.versions) return;
  const stored = files.flatMap(({ turn: { refusal } }, n) => (refusal === undefined ? [n] : []));
  check.equal(
    stored.map((n) => answers[n]?.version),
    stored.map((n) => found[n]?.version),
    "The versions that were reported of what was stored",
    "F3",
  );
}

/** A8: a batch of several files listens to its signal no longer once it is answered. */
async function noListeners(context: CaseContext): Promise<void> {
  const { backend } = context;
  const files = PATHS.slice(0, 12).map(fileOf);
  const refused = [...files, fileOf("relative")];
  for (const [what, batch] of [
    ["of several files", files],
    ["of several files, one of them refused", refused],
  ] as const) {
    const counted = countedSignal();
    const options = { signal: counted.signal };
    await backend.uploadFiles(batch, options);
    await requireNoneLeft(context, counted, `after an upload ${what}`);
    await backend.downloadFiles(
      batch.map(([path]) => path),
      options,
    );
    await requireNoneLeft(context, counted, `after a download ${what}`);
  }
}

/** Batches of many files. */
export const largeBatchCases: readonly Case[] = [
  {
    id: "upload/same-path-far-apart",
    rules: ["T1"],
    level: "core",
    needs: ["transfer"],
    patience: 2,
    why: "Of a path that comes twice in a long batch the last content stays, and each item is answered in its place.",
    hint: "Parts of a batch are sent in their order, or each path in one part alone.",
    run: farApart,
  },
  {
    id: "transfer/same-paths-many-times",
    rules: ["T1", "A3"],
    level: "core",
    needs: ["transfer"],
    why: "In a download of many entries each has its answer in its place, however often its path comes.",
    hint: "Ask for each path once if that is cheaper, but answer each entry: a row that was used is not used up.",
    run: downloadsFarApart,
  },
  {
    id: "upload/conditions-of-many",
    rules: ["T3", "T1", "F3", "W4", "W5"],
    level: "core",
    needs: ["transfer"],
    patience: 2,
    why: "Each file of a long batch is stored on its own condition, however far into the batch it comes.",
    hint: "Where a batch is sent in parts, a condition goes with its file: its place in the part is not its place in the batch.",
    run: conditionsOfMany,
  },
  {
    id: "guard/batches-leave-no-listeners",
    rules: ["A8"],
    level: "core",
    needs: ["signals", "transfer"],
    why: "A batch of several files keeps no listener on its signal.",
    hint: "Each part of a batch removes its own listener.",
    run: noListeners,
  },
];
