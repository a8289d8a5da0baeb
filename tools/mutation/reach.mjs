// Which code of a package a run of the suite gets to: nothing can notice a fault in what is never run.
import { Session } from "node:inspector/promises";
import { FAULT } from "./hooks.mjs";

/**
 * What a call runs of the modules of a package, as V8 counts it: `{ result, counted }`, where `counted` has for each module the
 * parts that were counted, `[start, end, count]`, in characters.
 */
export async function countingReach(name, call) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const result = await call();
  const { result: scripts } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const folder = `/packages/${name}/dist/`;
  const own = scripts.filter(({ url }) => url.includes(folder) && url.includes(FAULT));
  const counted = Object.fromEntries(
    own.map(({ url, functions }) => [
      url.slice(url.indexOf(folder) + folder.length, url.indexOf(FAULT)),
      functions.flatMap(({ ranges }) =>
        ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]),
      ),
    ]),
  );
  return { result, counted };
}

/** Whether a fault is in code that was run: the smallest part around it decides. */
export function isReached({ module, start }, counted) {
  const around = (counted[module] ?? []).filter(([from, to]) => from <= start && start < to);
  const [innermost] = around.toSorted((a, b) => a[1] - a[0] - (b[1] - b[0]));
  return innermost !== undefined && innermost[2] > 0;
}
