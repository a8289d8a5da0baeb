import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { countedSignal, requireNoneLeft } from "../../matrix/counted-signal.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
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
    await context.holds(Object.fromEntries(texts), backend, "T1");
  }
}

type Upload = { path: string; error?: unknown; code?: unknown; version?: unknown };

/**
 * T3: each file of a long batch has a condition of its own, or none. Of five in a row one is new and wanted absent; four are
 * there: wanted absent, of the version that is there, of another file's version, without a condition.
 */
async function conditionsOfMany(context: CaseContext): Promise<void> {
  requireFeature(context, "conditionalUploads");
  const { backend, check, profile } = context;
  const paths = range(265).map((n) => `/d/${String(n).padStart(3, "0")}.txt`);
  const there = paths.filter((_, n) => n % 5 !== 0);
  const before = await backend.uploadFiles(there.map(fileOf));
  check.equal(before.filter(hasFailed), [], "The failures of the files that are there", "T1");
  const versions = new Map((before as Upload[]).map(({ path, version }) => [path, version]));
  const conditionOf = (path: string, n: number): object | undefined => {
    if (n % 5 < 2) return { ifAbsent: true };
    if (n % 5 === 4 || !profile.versions) return undefined;
    return { ifVersion: versions.get(n % 5 === 2 ? path : (there[0] ?? "")) };
  };
  const batch = paths.map((path, n) => {
    const file = [path, encoder.encode(`new ${path}`)] as const;
    const condition = conditionOf(path, n);
    return condition === undefined ? file : [...file, condition];
  });
  const answers = (await backend.call("uploadFiles", [batch])) as Upload[];
  const refusals = [null, "already_exists", null, profile.versions ? "conflict" : null, null];
  const expected = paths.map((path, n) => [path, refusals[n % 5] ?? null]);
  check.equal(
    answers.map((answer) => [answer.path, hasFailed(answer) ? (answer.code ?? "none") : null]),
    profile.codes
      ? expected
      : expected.map(([path, code]) => [path, code === null ? null : "none"]),
    "Each path with the code of its refusal",
    "T3",
  );
  const found = await backend.downloadFiles(paths);
  check.equal(
    found.map(({ content }) => decoder.decode(content ?? undefined)),
    paths.map((path, n) => (refusals[n % 5] == null ? `new ${path}` : path)),
    "The contents afterwards",
    "T3",
  );
  if (!profile.versions) return;
  const isStored = (_: unknown, n: number): boolean => refusals[n % 5] == null;
  check.equal(
    answers.filter(isStored).map(({ version }) => version),
    (found as Upload[]).filter(isStored).map(({ version }) => version),
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
