/** What a run is paused with when staged changes wait for a person. */
export interface StagingInterrupt {
  readonly type: "filesystem_staging";
  /** The staged changes as a unified patch. */
  readonly patch: string;
  /** One line per change: `A /new`, `M /changed`, `D /gone`, `R /from -> /to`. */
  readonly changes: readonly string[];
  /** Names exactly these changes. An answer may repeat it; then it is about nothing else. */
  readonly digest: string;
  /** Why the last answer was not taken. */
  readonly problem?: string;
}
