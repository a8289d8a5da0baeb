import type { AnyBackendProtocol } from "@fs/protocol";
import type { Call, Counter } from "./measure.js";
import type { OperationName } from "./operations.js";
import type { Clock, Side } from "./results.js";

/** A storage filled with a number of files, and everything that is measured over it. */
export interface Filled {
  readonly ours: AnyBackendProtocol;
  /** The same files, or as many, behind a class of `deepagents`. */
  readonly peer?: AnyBackendProtocol;
  /** What the operation costs without any backend. */
  readonly limits?: Partial<Record<OperationName, Call>>;
  readonly counters?: Partial<Record<Side, Counter>>;
  close(): Promise<void>;
}

/** One storage. */
export interface Subject {
  readonly suite: string;
  readonly title: string;
  readonly sides: Partial<Record<Side, string>>;
  readonly clock: Clock;
  /** The most files that are sensible there. */
  readonly mostFiles: number;
  /** Makes `files` files; is called again for each size. */
  open(files: number): Promise<Filled>;
  /** Stops what it started. */
  stop?(): Promise<void>;
}
