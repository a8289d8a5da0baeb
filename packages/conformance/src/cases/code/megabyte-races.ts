import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { momentOf } from "../../races/moments.js";
import { awaitedLater, lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";
import { sizesWithin } from "./sizes-within.js";

/** Bytes of a file that is read in ranges and sent in parts, and fewer where it may hold less. */
const SIZES = [5 * 2 ** 20 + 7, 2 ** 20 + 7, 70_000];
const POINTS = 4;
const PATH = "/large.bin";

const filled = (size: number, letter: number): Uint8Array => new Uint8Array(size).fill(letter);

/** The letter that fills all of a content, or what is wrong with it. */
function letterOf(content: Uint8Array | null | undefined, size: number): number | string {
  if (content === null || content === undefined) return "none";
  if (content.length !== size) return `${content.length} bytes`;
  const [letter = 0] = content;
  return Buffer.from(filled(size, letter)).equals(content) ? letter : "of two contents";
}

/** A7: a reader of megabytes gets one content, also where they are replaced while they come. */
async function replacedUnderReader(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  const [size = 0] = sizesWithin(context, SIZES);
  await context.given({ [PATH]: filled(size, 1) });
  const lasting = await lastingOf(backend.downloadFiles([PATH]));
  for (const [n, moment] of ["0 microtasks", ...momentsUnderWay(lasting, POINTS)].entries()) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const reading = awaitedLater(backend.downloadFiles([PATH]));
    await momentOf(moment);
    const [stored] = await other.uploadFiles([[PATH, filled(size, n + 2)]]);
    check.equal(stored?.error, null, "The upload over a file that is read", "T1");
    const letters = [n + 1, n + 2];
    const letter = letterOf((await reading)[0]?.content, size);
    const what = `What a reader gets of ${size} bytes that are replaced ${moment} after it began`;
    check.that(letters.includes(Number(letter)), `${what} is ${letter}.`, "A7");
    const now = letterOf((await backend.downloadFiles([PATH]))[0]?.content, size);
    check.equal(now, n + 2, "What is stored once it was replaced", "A7");
  }
}

/** A8, A7: an upload of megabytes that is aborted is stored whole, or not at all. */
async function abortedUpload(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  const [size = 0] = sizesWithin(context, SIZES);
  const content = filled(size, 1);
  const lasting = await lastingOf(backend.uploadFiles([["/alone.bin", content]]));
  for (const moment of ["0 microtasks", ...momentsUnderWay(lasting, POINTS)])
    for (const old of [undefined, filled(10, 2)]) {
      if (context.signal.aborted) return;
      context.transcript.clear();
      const path = `/${moment.replace(" ", "-")}/${old === undefined ? "new" : "old"}.bin`;
      if (old !== undefined) await context.given({ [path]: old });
      const controller = new AbortController();
      const pending = backend.uploadFiles([[path, content]], { signal: controller.signal });
      await momentOf(moment);
      controller.abort();
      const [answer] = await pending;
      const [downloaded] = await other.downloadFiles([path]);
      const found = downloaded?.content ?? null;
      const isOld = old === undefined ? found === null : letterOf(found, 10) === 2;
      const isNew = letterOf(found, size) === 1;
      const what = `An upload of ${size} bytes, aborted ${moment} after it began,`;
      check.that(isOld || isNew, `${what} has left ${letterOf(found, size)}.`, "A7");
      check.that(isNew || answer?.error !== null, `${what} was acknowledged, and is lost.`, "A7");
    }
}

/** Readers and signals that meet what takes ranges and parts. */
export const megabyteRaces: readonly Case[] = overlapCases([
  {
    name: "megabytes-under-a-reader",
    rules: ["A7"],
    needs: ["transfer", "content=bytes"],
    why: "A reader of megabytes gets one content, whole, also where another one replaces it while it comes.",
    hint: "Ask for each range in the version of the first, and begin again where that is gone.",
    run: replacedUnderReader,
  },
  {
    name: "megabytes-aborted",
    rules: ["A8", "A7"],
    needs: ["transfer", "content=bytes", "signals"],
    why: "An upload of megabytes that is aborted is there whole, or not at all.",
    hint: "A loop over parts that a signal ends must not go on to put together what has arrived.",
    run: abortedUpload,
  },
]);
