import type { SoakReport } from "./soak.js";

/** Sentences of each kind that are shown. */
const SHOWN = 10;

/** The report as text: figures by storage, the faults, and what the oracle found. */
export function render({ tallies, faults, findings }: SoakReport): string {
  const rows = [...tallies].map(
    ([storage, tally]) =>
      `${storage}: ${tally.calls} calls, ${tally.done} done, ${tally.refused} refused, ` +
      `${tally.unknown} unknown, ${tally.cutOff} cut off by a kill, ` +
      `${tally.failed} unavailable, timed out or aborted; the longest took ${tally.longestMs} ms`,
  );
  const sum = (pattern: RegExp): number =>
    [...faults].reduce((total, [name, count]) => (pattern.test(name) ? total + count : total), 0);
  const made = [...faults]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${count}`);
  const found = Object.entries(findings).flatMap(([kind, list]) => [
    `${kind}: ${list.length}`,
    ...list.slice(0, SHOWN).map((sentence) => `  ${sentence}`),
  ]);
  return [
    ...rows,
    `kills: ${sum(/killed/)}, other faults: ${sum(/./) - sum(/killed/)} (${made.join(", ")})`,
    ...found,
  ].join("\n");
}
