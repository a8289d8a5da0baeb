/** In no file, in one of a thousand, and five times in every seventh. */
export const NONE = "nosuchword";
export const RARE = "rareneedle";
export const COMMON = "commonword";

const WORDS =
  "the quick brown fox jumps over lazy dog import export const function return value string number index path file query result".split(
    " ",
  );

/** Files of 3 KB in batches of 1,000: `/d<n / 100>/s<n % 10>/f<n>.ts`, a third of them `.md`. Always the same. */
export function* corpus(count) {
  let seed = 1;
  const random = (limit) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((seed / 0x80000000) * limit);
  };
  const line = () =>
    Array.from({ length: 8 }, () => WORDS[random(WORDS.length)] + random(1000).toString(36)).join(
      " ",
    );
  for (let first = 0; first < count; first += 1000) {
    yield Array.from({ length: Math.min(1000, count - first) }, (_, offset) => {
      const n = first + offset;
      const lines = ["edit me", ...Array.from({ length: 50 }, line)];
      if (n % 1000 === 500) lines.push(`a ${RARE} here`);
      if (n % 7 === 0) lines.push(...Array.from({ length: 5 }, () => `a ${COMMON} here`));
      const path = `/d${Math.floor(n / 100)}/s${n % 10}/f${n}.${n % 3 === 0 ? "ts" : n % 3 === 1 ? "js" : "md"}`;
      return [path, Buffer.from(`${lines.join("\n")}\n`)];
    });
  }
}
