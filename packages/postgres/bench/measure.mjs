/** Runs all sides in turn, round by round; the ratio is the median of the rounds' ratios. */
export async function compare({ ours, bare, theirs, rounds, peerRounds }) {
  const times = { ours: [], bare: [], theirs: [] };
  await ours();
  await bare?.();
  const start = performance.now();
  for (let round = 0; goesOn(round, rounds, performance.now() - start); round++) {
    times.ours.push(await timed(ours));
    if (bare !== undefined) times.bare.push(await timed(bare));
    if (theirs !== undefined && (round < peerRounds || performance.now() - start < FAST_MS))
      times.theirs.push(await timed(theirs));
  }
  return {
    ours: median(times.ours),
    bare: median(times.bare),
    theirs: median(times.theirs),
    toBare: median(times.bare.map((bareTime, round) => times.ours[round] / bareTime)),
    faster: median(times.theirs.map((theirTime, round) => theirTime / times.ours[round])),
  };
}

/** A call of a fraction of a millisecond needs many rounds for a median that means something. */
function goesOn(round, rounds, elapsed) {
  return round < rounds || (round < MAX_ROUNDS && elapsed < FAST_MS);
}
const MAX_ROUNDS = 501;
const FAST_MS = 1000;

export function printRow(name, { ours, bare, theirs, toBare, faster }) {
  const cells = [ms(ours), ms(bare), ratio(toBare), ms(theirs), ratio(faster)];
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}

async function timed(task) {
  const start = performance.now();
  const result = await task();
  const time = performance.now() - start;
  if (typeof result === "object" && result !== null && "error" in result && result.error)
    throw new Error(String(result.error));
  return time;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

function ms(value) {
  if (value === undefined) return "";
  return value < 10 ? value.toFixed(2) : String(Math.round(value));
}

function ratio(value) {
  if (value === undefined) return "";
  return value < 10 ? value.toFixed(2) : String(Math.round(value));
}
