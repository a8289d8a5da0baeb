import type { BackendProtocolV2, MaybePromise } from "@fs/protocol";
import type { DeclaredProfile } from "./profile.js";

/** An isolated backend for one case. */
export interface Instance<B extends BackendProtocolV2 = BackendProtocolV2> {
  readonly backend: B;
  /** The namespace it was created for. */
  readonly ns: string;
  /** Frees what it holds. Called once, also after a failure. */
  readonly dispose?: (() => MaybePromise<void>) | undefined;
}

/** What `create` may answer: the backend alone, or with what frees it. */
export type Created<B extends BackendProtocolV2> =
  | B
  | { readonly backend: B; readonly dispose?: () => MaybePromise<void> };

/** What `create` is given. */
export interface CreateContext {
  /** Unique to the case, of `[a-z0-9-]`, at most 40 characters: a prefix, a directory, a schema, a key space. */
  readonly ns: string;
  /** Fires when the case has run out of time. */
  readonly signal: AbortSignal;
}

/** Looks at the storage past the backend: an independent witness. Paths are the backend's own. */
export interface OutOfBand {
  put(path: string, bytes: Uint8Array): MaybePromise<void>;
  get(path: string): MaybePromise<Uint8Array | undefined>;
  mkdir?(path: string): MaybePromise<void>;
  /** A symbolic link; the target may be absolute on the host, as `/etc/hostname`, or relative to the link. */
  symlink?(path: string, target: string): MaybePromise<void>;
}

/** Failures that a harness can cause. */
export interface Faults {
  /** Cuts the connection to the storage until the returned function is called. */
  cut?(): Fault;
  /** Lets every request to the storage wait until the returned function is called. */
  stall?(): Fault;
  /** Lets changes reach the storage, and loses its answers. */
  loseAnswers?(): Fault;
  /** Lets the storage refuse every request: no permission, no descriptors. */
  refuse?(): Fault;
  /** Leaves no room for anything more. Reads and removals go on. */
  fill?(): Fault;
  /** Lets the storage accept no change, as a replica or a read-only mount does not. Reads go on. */
  readOnly?(): Fault;
}

/** A fault that began; the function ends it. */
export type Fault = MaybePromise<() => MaybePromise<void>>;

/** How much the storage was asked so far. */
export interface MeterReading {
  readonly requests: number;
  readonly bytes?: number;
}

/** A case that is known to fail, and why that is accepted for now. A case listed here that passes is a failure too. */
export interface ExpectedFailure {
  readonly reason: string;
  /** Where the defect is tracked. */
  readonly issue: string;
}

/**
 * How the suite gets backends to test. Only `name` and `create` are needed.
 *
 * @example
 * const harness: Harness = {
 *   name: "s3",
 *   create: ({ ns }) => new S3Backend({ bucket, prefix: ns }),
 *   peer: ({ ns }) => new S3Backend({ bucket, prefix: ns }),
 *   profile: { collisions: "allowed", durable: true },
 * };
 */
export interface Harness<B extends BackendProtocolV2 = BackendProtocolV2> {
  readonly name: string;
  /** The version of what is tested, for the report. */
  readonly version?: string;
  /** An empty backend that shares nothing with other namespaces. Called once per case. */
  create(context: CreateContext): MaybePromise<Created<B>>;
  /** Once before the first case: containers, buckets. */
  setup?(): MaybePromise<void>;
  /** Once after the last case. */
  teardown?(): MaybePromise<void>;
  /** A second client of the same files, as another process would have it. Without it, races across clients do not run. */
  peer?(instance: Instance<B>): MaybePromise<Created<B>>;
  /** The same files after a restart of everything in this process. Without it, durability is not proved. */
  reopen?(instance: Instance<B>): MaybePromise<Created<B>>;
  /** Runs the body where the backend works, such as within a step of a graph. */
  around?(instance: Instance<B>, body: () => Promise<void>): MaybePromise<void>;
  outOfBand?(instance: Instance<B>): OutOfBand;
  /** Counts since any fixed moment. Without it, request budgets are not checked. */
  meter?(instance: Instance<B>): MaybePromise<MeterReading>;
  /** Makes the storage fail on purpose. Without it, outages are not tried. */
  faults?(instance: Instance<B>): Faults;
  /** What the backend claims. Default: the whole contract, see `DEFAULT_PROFILE`. `"probe"`: found out by trying. */
  readonly profile?: DeclaredProfile | "probe";
  /** Texts that no error may hold: a password, a host directory, an address. */
  readonly secrets?: readonly string[];
  /** By case ID. */
  readonly expectedFailures?: Readonly<Record<string, ExpectedFailure>>;
  /** Cases under way at once; `1` for a harness whose backends are not apart from each other. Default 4. */
  readonly concurrency?: number;
  /**
   * Milliseconds a call may take, and a quarter of what a case may take while each of its calls is answered. Default 20,000; long
   * cases take a multiple, and each of the full tier five times as long.
   */
  readonly timeoutMs?: number;
}

/** What every entry of the suite accepts: a harness, or just a function that makes an empty backend. */
export type HarnessLike<B extends BackendProtocolV2 = BackendProtocolV2> =
  | Harness<B>
  | ((context: CreateContext) => MaybePromise<Created<B>>);

/** A bare factory as a harness whose profile is found out by trying. */
export function harnessOf<B extends BackendProtocolV2>(input: HarnessLike<B>): Harness<B> {
  if (typeof input !== "function") return input;
  return { name: input.name === "" ? "backend" : input.name, create: input, profile: "probe" };
}

/** Splits what `create` answered. A backend of any shape is told from the pair by its methods. */
export function instanceOf<B extends BackendProtocolV2>(
  created: Created<B>,
  ns: string,
): Instance<B> {
  if ("backend" in created && !("read" in created)) {
    return { backend: created.backend, ns, dispose: created.dispose };
  }
  return { backend: created as B, ns, dispose: disposerOf(created) };
}

function disposerOf(backend: object): (() => Promise<void>) | undefined {
  if (!(Symbol.asyncDispose in backend)) return undefined;
  const dispose = backend[Symbol.asyncDispose];
  return typeof dispose === "function"
    ? async () => {
        await dispose.call(backend);
      }
    : undefined;
}
