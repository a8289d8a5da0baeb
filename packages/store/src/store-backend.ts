import {
  VolumeBackend,
  type VolumeBackendOptions,
  checkedConfiguration,
  VolumeError,
  warnOnce,
  type Volume,
} from "@fs/protocol/author";
import type { FileFormat } from "@fs/protocol/records";
import type { BaseStore } from "@langchain/langgraph";
import { FileSpace } from "./file-space.js";
import { storedNamespace } from "./namespace.js";
import { storeRuntime, type StateAndStore, type StoreRuntime } from "./store-runtime.js";
import { volumeOf } from "./store-volume.js";

/** Derives a namespace from the runtime of a call. */
export type NamespaceFactory = (runtime: StoreRuntime) => string | readonly string[];

/** The name that deepagents gives to {@link NamespaceFactory}. */
export type StoreBackendNamespaceFactory = NamespaceFactory;

export interface StoreBackendOptions extends VolumeBackendOptions {
  /**
   * Whose files these are: components of letters, digits and `-_.@+:~`, or what derives them for each call. A text is a list
   * of one. Default, deprecated: the assistant's id where there is one, then `"filesystem"`.
   */
  namespace?: string | readonly string[] | NamespaceFactory;
  /** Where they are kept. Default: the running graph's store. */
  store?: BaseStore;
  /** The form in which files are written: strings (`"v2"`, default), or arrays of lines for older readers (`"v1"`). */
  fileFormat?: FileFormat;
  /**
   * True: nothing but this package writes into the namespace, in this version or a later one. Once a listing has seen that
   * nothing written earlier or by others is left there, the next ones do not look for it, and PostgresStore answers them from its
   * index alone. What others write all the same may be missing from listings and searches below a directory. Default false.
   */
  onlyWriter?: boolean;
}

/**
 * Files in a LangGraph store as a volume.
 *
 * Throws a TypeError for options that make no sense.
 */
export function storeVolume(options: StoreBackendOptions = {}): Volume {
  return volumeFor(options, undefined);
}

function volumeFor(options: StoreBackendOptions, given: StateAndStore | undefined): Volume {
  checkedConfiguration("StoreBackend", options, KINDS, "open");
  const { namespace, store, fileFormat = "v2", onlyWriter = false } = options;
  const fixed =
    namespace === undefined || typeof namespace === "function"
      ? undefined
      : fixedNamespace(namespace);
  // Nothing of the run is asked for, so nothing of it is looked up: one space serves all calls.
  if (store !== undefined && fixed !== undefined)
    return volumeOf(openedOnce(store, fixed, onlyWriter), fileFormat);
  return volumeOf(async () => {
    const runtime = storeRuntime(given);
    const found = store ?? runtime.store;
    if (found === undefined) throw noStore();
    const spelled = fixed ?? storedNamespace(namespaceFor(namespace, runtime));
    return FileSpace.open(found, spelled, onlyWriter);
  }, fileFormat);
}

function openedOnce(
  store: BaseStore,
  namespace: string[],
  onlyWriter: boolean,
): () => Promise<FileSpace> {
  let opened: Promise<FileSpace> | undefined;
  return () => {
    if (opened !== undefined) return opened;
    opened = FileSpace.open(store, namespace, onlyWriter);
    // A store that could not be asked is asked again.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
}

const KINDS = { store: "object", fileFormat: ["v1", "v2"], onlyWriter: "flag" } as const;

/**
 * Files in a LangGraph store: they outlive threads, and are told apart by namespace.
 *
 * The constructor throws a TypeError for a namespace that is not valid; one that a factory makes, and a factory that fails,
 * is answered with `invalid_argument` by the call.
 *
 * @example
 * const memories = new StoreBackend({ namespace: (rt) => ["memories", rt.serverInfo.user?.identity ?? "all"] });
 */
export class StoreBackend extends VolumeBackend {
  constructor(options?: StoreBackendOptions);
  /** @deprecated Pass options only: the backend finds the running graph's store by itself. */
  constructor(runtime: StateAndStore, options?: StoreBackendOptions);
  constructor(first: StateAndStore | StoreBackendOptions = {}, second: StoreBackendOptions = {}) {
    const given = isStateAndStore(first) ? first : undefined;
    const options = isStateAndStore(first) ? second : first;
    super(volumeFor(options, given), options);
    if (given !== undefined)
      warnOnce(
        "FS_DEP_STORE_RUNTIME",
        "`new StoreBackend(runtime)` is deprecated: use `new StoreBackend({ namespace })`, which finds the running graph's store by itself.",
      );
  }
}

function isStateAndStore(value: StateAndStore | StoreBackendOptions): value is StateAndStore {
  return "state" in value;
}

function fixedNamespace(namespace: string | readonly string[]): string[] {
  try {
    return storedNamespace(namespace);
  } catch (error) {
    if (VolumeError.isInstance(error))
      throw new TypeError(error.detail ?? error.code, { cause: error });
    throw error;
  }
}

function namespaceFor(
  namespace: StoreBackendOptions["namespace"],
  runtime: StoreRuntime,
): string | readonly string[] {
  if (typeof namespace === "function") return made(namespace, runtime);
  warnOnce(
    "FS_DEP_STORE_NAMESPACE",
    "A StoreBackend without `namespace` shares its files among all users of an assistant: pass one, as in `namespace: (rt) => [userId]`.",
  );
  const { assistantId } = runtime;
  return assistantId === undefined ? ["filesystem"] : [assistantId, "filesystem"];
}

function made(factory: NamespaceFactory, runtime: StoreRuntime): string | readonly string[] {
  try {
    return factory(runtime);
  } catch (error) {
    throw new VolumeError("invalid_argument", factoryFailed(error), { cause: error });
  }
}

/** What a factory missed, where that is why it failed. Nothing else of its error is repeated: it may hold anything. */
function factoryFailed(error: unknown): string {
  const missed =
    error instanceof TypeError
      ? /^Cannot read properties of (?:undefined|null) \(reading '(\w+)'\)$/.exec(
          error.message,
        )?.[1]
      : undefined;
  const why =
    missed === undefined
      ? "failed"
      : `failed, because this run lacks what it reads '${missed}' of, such as an authenticated user`;
  return `The function that was given as \`namespace\` to this StoreBackend ${why}. Nothing was read or written.`;
}

function noStore(): VolumeError {
  return new VolumeError(
    "unavailable",
    "There is no store: pass `store`, or compile the graph with one.",
  );
}
