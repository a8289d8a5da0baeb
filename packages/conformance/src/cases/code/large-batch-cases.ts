import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { countedSignal, requireNoneLeft } from "../../matrix/counted-signal.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

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
    id: "guard/batches-leave-no-listeners",
    rules: ["A8"],
    level: "core",
    needs: ["signals", "transfer"],
    why: "A batch of several files keeps no listener on its signal.",
    hint: "Each part of a batch removes its own listener.",
    run: noListeners,
  },
];
