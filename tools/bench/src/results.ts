/** The median and the spread of a number over all rounds. */
export interface Spread {
  readonly p10: number;
  readonly median: number;
  readonly p90: number;
}

/** One operation at one size, on every side in the same rounds. */
export interface Row {
  readonly operation: string;
  /** Files there were. */
  readonly files: number;
  /** Milliseconds of one call, by side: `limit`, `ours`, `peer`. */
  readonly times: Partial<Record<Side, Spread>>;
  /** Ours divided by another side, round by round. */
  readonly ratios: Partial<Record<Exclude<Side, "ours">, Spread>>;
  /** What one call asked for, by side: exact, and compared by tests. */
  readonly counts: Partial<Record<Side, Readonly<Record<string, number>>>>;
}

export type Side = "limit" | "ours" | "peer";

/**
 * `cpu`: processor time of the process with all its threads, which a busy machine disturbs little; for work that is done in the
 * process. `wall`: for work that servers and disks do.
 */
export type Clock = "cpu" | "wall";

/** One run of one suite, as it is kept in the repository. */
export interface Results {
  readonly suite: string;
  readonly title: string;
  /** What each side is. */
  readonly sides: Partial<Record<Side, string>>;
  readonly clock: Clock;
  readonly date: string;
  readonly command: string;
  readonly machine: string;
  readonly load: number;
  readonly rounds: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}
