/** Medians of interleaved rounds, so that a slow moment of the machine hits every side alike. */

/** Runs every side once per round. Returns the median milliseconds of each, and of each round's ratio to the first. */
export async function compare(sides, rounds = 7) {
  const names = Object.keys(sides);
  const times = new Map(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const started = performance.now();
      await sides[name]();
      // The first round only warms up.
      if (round >= 0) times.get(name).push(performance.now() - started);
    }
  }
  const reference = times.get(names[0]);
  return Object.fromEntries(
    names.map((name) => {
      const own = times.get(name);
      const ratios = own.map((time, round) => time / reference[round]);
      return [name, { ms: median(own), ratio: median(ratios) }];
    }),
  );
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export function format(ms) {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 10) return `${ms.toFixed(0)} ms`;
  return ms >= 0.1 ? `${ms.toFixed(2)} ms` : `${(ms * 1000).toFixed(1)} µs`;
}
