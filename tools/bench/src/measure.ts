import type { Clock, Row, Side, Spread } from "./results.js";

/** What a side does for one operation; several calls of it in a row must be possible. */
export type Call = () => unknown;

/** Counts what calls ask for, since the last `take`. */
export interface Counter {
  take(): Readonly<Record<string, number>>;
}

export interface Comparison {
  readonly operation: string;
  readonly files: number;
  readonly sides: Partial<Record<Side, Call>>;
  readonly counters?: Partial<Record<Side, Counter>>;
  readonly rounds: number;
  readonly clock: Clock;
}

/** Short calls are repeated within a round until that many milliseconds have passed. */
const ROUND_MS = 10;
const MOST_REPEATS = 500;

/** Runs all sides in turn, round by round, so that a slow moment of the machine hits each alike. The first round only warms up. */
export async function compare(comparison: Comparison): Promise<Row> {
  const { operation, files, rounds, clock, counters = {} } = comparison;
  const sides = Object.entries(comparison.sides) as Array<[Side, Call]>;
  const counts: Partial<Record<Side, Readonly<Record<string, number>>>> = {};
  const repeats = new Map<Side, number>();
  for (const [side, call] of sides) {
    await call();
    counters[side]?.take();
    const first = await timed(call, 1, clock);
    const counted = counters[side]?.take();
    if (counted !== undefined) counts[side] = counted;
    repeats.set(side, Math.max(1, Math.min(MOST_REPEATS, Math.ceil(ROUND_MS / first))));
  }
  const samples: Partial<Record<Side, number[]>> = {};
  for (let round = 0; round <= rounds; round++)
    for (const [side, call] of sides) {
      const ms = await timed(call, repeats.get(side) ?? 1, clock);
      if (round > 0) (samples[side] ??= []).push(ms);
    }
  return { operation, files, counts, ...summary(samples) };
}

async function timed(call: Call, times: number, clock: Clock): Promise<number> {
  const from = now(clock);
  for (let at = 0; at < times; at++) await call();
  return (now(clock) - from) / times;
}

/** Milliseconds. */
function now(clock: Clock): number {
  if (clock === "wall") return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Spreads of the samples of each side, and of their ratios in the same round. */
export function summary(
  samples: Partial<Record<Side, readonly number[]>>,
): Pick<Row, "times" | "ratios"> {
  const times: Partial<Record<Side, Spread>> = {};
  for (const [side, values] of Object.entries(samples) as Array<[Side, readonly number[]]>)
    times[side] = spread(values);
  const ratios: Partial<Record<"limit" | "peer", Spread>> = {};
  const ours = samples.ours ?? [];
  for (const side of ["limit", "peer"] as const) {
    const other = samples[side];
    if (other !== undefined)
      ratios[side] = spread(ours.map((ms, round) => ms / (other[round] ?? Number.NaN)));
  }
  return { times, ratios };
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const value = sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
    return Number(value.toPrecision(4));
  };
  return { p10: at(0.1), median: at(0.5), p90: at(0.9) };
}
