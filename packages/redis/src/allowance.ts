/** Bytes that one script looks at for a short needle: about 5 ms at worst, see docs/benchmarks/redis.md. */
const SCANNED_BYTES = 1024 * 1024;
/** Bytes of needle for which a position costs twice what it costs for one byte, in the worst text. */
const NEEDLE_WEIGHT = 512;

/**
 * The bytes that one script may look at for a needle. In the worst text a server compares nearly the whole needle at every
 * position, so that a long one gets less.
 */
export function allowanceFor(needleBytes: number): number {
  return Math.ceil(SCANNED_BYTES / (1 + needleBytes / NEEDLE_WEIGHT));
}
