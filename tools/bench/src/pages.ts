import { grows } from "./plots.js";
import type { Results, Row, Spread } from "./results.js";

const HEAD = "<!-- Written by `npm run bench`; do not edit. -->\n";

/** The page of all figures: where the peer is ahead comes first. */
export function figuresPage(all: readonly Results[]): string {
  const behind = all.flatMap((results) =>
    results.rows
      .filter(({ ratios }) => (ratios.peer?.median ?? 0) > 1.05)
      .map((row) => ({ title: results.title, row })),
  );
  const ahead = all.flatMap(({ rows }) =>
    rows.filter(({ ratios }) => (ratios.peer?.median ?? 2) < 0.95),
  );
  const compared = all.flatMap(({ rows }) =>
    rows.filter(({ ratios }) => ratios.peer !== undefined),
  );
  return `${HEAD}
# Beside deepagents

Every backend, the middleware and the agent, each beside \`deepagents\` where it has the like, and beside what the storage itself costs, in the same process and the same
rounds. A ratio is the median over the rounds, with the 10th and the 90th percentile; below 1, fs is quicker. Times are of one machine and moment: read the ratios, and the
counts, which are exact.

Of ${compared.length} rows that have a peer, fs is quicker in ${ahead.length} and slower in ${behind.length}. Growth with the number of files is [a page of its own](growth.md).

## Where deepagents is ahead

${behind.length === 0 ? "Nowhere in this run." : behindTable(behind)}

${all.map(section).join("\n\n")}
`;
}

function behindTable(rows: ReadonlyArray<{ title: string; row: Row }>): string {
  const lines = rows
    .toSorted((a, b) => (b.row.ratios.peer?.median ?? 0) - (a.row.ratios.peer?.median ?? 0))
    .map(
      ({ title, row }) =>
        `| ${title} | ${row.operation} | ${filesOf(row)} | ${time(row.times.ours)} | ${time(row.times.peer)} | ${ratio(row.ratios.peer)} |`,
    );
  return [
    "| suite | operation | files | fs | deepagents | fs / deepagents |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

function section(results: Results): string {
  const { title, sides, rows, clock, date, machine, load, rounds, versions, command } = results;
  const parts = Object.entries(sides).map(
    ([side, what]) => `${SIDES[side as keyof typeof SIDES]}: ${what}`,
  );
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `## ${title}

${parts.join("; ")}.

${table(rows)}

${CLOCKS[clock]}, ${date}, ${machine}, load ${load}; ${rounds} rounds; ${packages.join(", ")}. \`${command}\``;
}

const CLOCKS = { cpu: "Processor time", wall: "Elapsed time" };
const SIDES = { ours: "fs", peer: "deepagents", limit: "limit" };

function table(rows: readonly Row[]): string {
  const withPeer = rows.some(({ times }) => times.peer !== undefined);
  const withLimit = rows.some(({ times }) => times.limit !== undefined);
  const withCounts = rows.some(({ counts }) => counts.ours !== undefined);
  const columns: Array<[string, (row: Row) => string]> = [
    ["operation", ({ operation }) => operation],
    ["files", filesOf],
    ["fs", ({ times }) => time(times.ours)],
    ...(withPeer
      ? ([
          ["deepagents", ({ times }) => time(times.peer)],
          ["fs / deepagents", ({ ratios }) => ratio(ratios.peer)],
        ] satisfies Array<[string, (row: Row) => string]>)
      : []),
    ...(withLimit
      ? ([["fs / limit", ({ ratios }) => ratio(ratios.limit)]] satisfies Array<
          [string, (row: Row) => string]
        >)
      : []),
    ...(withCounts
      ? ([["counts of fs", ({ counts }) => count(counts.ours)]] satisfies Array<
          [string, (row: Row) => string]
        >)
      : []),
    ...(withCounts && withPeer && rows.some(({ counts }) => counts.peer !== undefined)
      ? ([["of deepagents", ({ counts }) => count(counts.peer)]] satisfies Array<
          [string, (row: Row) => string]
        >)
      : []),
  ];
  return [
    `| ${columns.map(([name]) => name).join(" | ")} |`,
    `| ${columns.map(() => "---").join(" | ")} |`,
    ...rows.map((row) => `| ${columns.map(([, cell]) => cell(row)).join(" | ")} |`),
  ].join("\n");
}

/** The page of growth: a picture for each suite with several sizes. */
export function growthPage(all: readonly Results[]): string {
  const parts = all.filter(grows).map(
    ({ suite, title, rows }) => `## ${title}

${slopes(rows)}

![How the calls on ${title} grow with the number of files](growth/${suite}-growth.svg)`,
  );
  return `${HEAD}
# Growth

What each call costs as the number of files grows, one plot for each operation, both axes logarithmic: a flat line costs the same at any size, a diagonal costs what lies below. Every directory
has 100 files of 1 KB. The figures are those of [the other page](figures.md).

${parts.join("\n\n")}
`;
}

/** The factor by which a call of ours grew from the smallest size to the largest, beside that of the files. */
function slopes(rows: readonly Row[]): string {
  const sizes = rows.map(({ files }) => files);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const at = (operation: string, files: number): number | undefined =>
    rows.find((row) => row.operation === operation && row.files === files)?.times.ours?.median;
  const names = [...new Set(rows.map(({ operation }) => operation))];
  const cells = names.flatMap((name) => {
    const [small, large] = [at(name, least), at(name, most)];
    return small === undefined || large === undefined ? [] : [`${name} x${number(large / small)}`];
  });
  return `From ${least.toLocaleString("en")} to ${most.toLocaleString("en")} files (x${most / least}), fs: ${cells.join(", ")}.`;
}

function filesOf({ files }: Row): string {
  return files === 0 ? "–" : files.toLocaleString("en");
}

function time(spread: Spread | undefined): string {
  if (spread === undefined) return "–";
  const { median } = spread;
  if (median >= 1000) return `${number(median / 1000)} s`;
  return median >= 0.1 ? `${number(median)} ms` : `${number(median * 1000)} µs`;
}

function ratio(spread: Spread | undefined): string {
  if (spread === undefined) return "–";
  const { p10, median, p90 } = spread;
  return `**${number(median)}** (${number(p10)}–${number(p90)})`;
}

function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(2)));
}

function count(counts: Readonly<Record<string, number>> | undefined): string {
  if (counts === undefined) return "–";
  return Object.entries(counts)
    .map(([what, times]) => `${times.toLocaleString("en")} ${what}`)
    .join(", ");
}
