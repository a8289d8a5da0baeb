import {
  type BackendMethods,
  METHOD_NAMES,
  type MethodName,
  METHODS,
  type OptionalMethod,
} from "../call/methods.js";
import { adaptBackendProtocol } from "../border/adapt.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import type { Feature, Filesystem, SandboxFilesystem } from "../types/protocol.js";
import type { Failure } from "../types/outcome.js";
import { TREE_ACCESS, type TreeAccess, treeAccessOf } from "../call/tree-access.js";
import { checkedOptions } from "../call/options.js";
import { ownArguments } from "../call/own-arguments.js";
import { promised } from "../concurrency/maybe-promise.js";
import { failureFromThrown } from "../errors/from-thrown.js";

/** What a wrapper makes of each method. One that is missing is a compile error, so no wrapper can let a call slip by. */
export type Wrapping = {
  readonly [K in MethodName]-?: (inner: BackendMethods[K]) => BackendMethods[K];
} & {
  /** Of directories that a move has emptied. They stay where this is missing, since the wrapper does not know of the change. */
  readonly removeEmpty?: (inner: RemoveEmpty) => RemoveEmpty;
};

type RemoveEmpty = TreeAccess["removeEmpty"];

/** A filesystem that may be able to execute. */
export type MaybeSandbox = Filesystem & Partial<Pick<SandboxFilesystem, "execute" | "id">>;

type Complete = Required<Filesystem> & SandboxFilesystem & AsyncDisposable;

type RequiredKeys<B> = {
  [K in keyof B]-?: undefined extends B[K] ? never : K;
}[keyof B];

/** What a wrapper makes of a backend: what the backend is known to have, the wrapped one is known to have too. */
export type Wrapped<B, Dropped extends keyof Complete = never> = Filesystem &
  Pick<Complete, Exclude<Extract<RequiredKeys<B>, keyof Complete>, Dropped>>;

/** Properties that are no methods, read through: an id may be known only once a sandbox has started. */
const PROPERTIES = [
  "id",
  "routePrefixes",
  "linkRoots",
  "semantics",
  "executeDescription",
  "featuresAt",
  "close",
  Symbol.asyncDispose,
] as const;

/**
 * A backend whose every call goes through a wrapping. Optional methods, `id` and `routePrefixes` are there exactly when
 * the inner backend has them; `watch` is not, so that watching cannot bypass a wrapper.
 *
 * @param dropped Optional methods that are left out all the same.
 */
export function wrapBackend<B extends AnyBackendProtocol>(
  backend: B,
  wrapping: Wrapping,
  dropped: readonly OptionalMethod[] = [],
): Wrapped<B> {
  const inner: MaybeSandbox = adaptBackendProtocol(backend);
  const wrapped: Partial<Record<MethodName, unknown>> = {};
  for (const name of METHOD_NAMES) {
    const method: unknown = Reflect.get(inner, name);
    if (typeof method !== "function" || dropped.some((one) => one === name)) continue;
    const wrap = wrapping[name] as (own: unknown) => unknown;
    const call = wrap(method.bind(inner)) as (...args: readonly unknown[]) => unknown;
    wrapped[name] = (...args: readonly unknown[]) =>
      promised(() => {
        const own = argumentsOf(name, args);
        return refusedOptions(name, own) ?? call(...own);
      });
  }
  forwardProperties(inner, wrapped, dropped.includes("execute"));
  if (TREE_ACCESS in inner)
    define(wrapped, TREE_ACCESS, (): TreeAccess => {
      const tree = treeAccessOf(inner);
      const { removeEmpty = () => async () => undefined } = wrapping;
      return { ...tree, removeEmpty: removeEmpty((...args) => tree.removeEmpty(...args)) };
    });
  return wrapped as Wrapped<B>;
}

/**
 * The failure of a call whose options are wrong, so that no wrapper has to look. The files of a batch are refused one by one,
 * by the backend.
 */
function refusedOptions(name: MethodName, args: readonly unknown[]): Failure | undefined {
  const { answer, options, optionsAt } = METHODS[name];
  if (answer !== "result") return undefined;
  try {
    checkedOptions(name, options, args[optionsAt] as object | null | undefined);
    return undefined;
  } catch (error) {
    return failureFromThrown(error, args[0]);
  }
}

/** The call's own arguments. A batch that is no list is an empty one, and a file of it that is no tuple one without a path. */
function argumentsOf(name: MethodName, args: readonly unknown[]): readonly unknown[] {
  const own = ownArguments(args);
  if (METHODS[name].answer !== "batch") return own;
  const [items, ...rest] = own;
  if (!Array.isArray(items)) return [[], ...rest];
  if (name !== "uploadFiles") return own;
  return [items.map((file: unknown) => (Array.isArray(file) ? file : [])), ...rest];
}

function forwardProperties(inner: object, wrapped: object, withoutId: boolean): void {
  for (const name of PROPERTIES) {
    if (!(name in inner) || (name === "id" && withoutId)) continue;
    define(wrapped, name, () => {
      const value: unknown = Reflect.get(inner, name, inner);
      return typeof value === "function" ? value.bind(inner) : value;
    });
  }
  if ("features" in inner)
    define(wrapped, "features", () => {
      const features = Reflect.get(inner, "features", inner) as readonly Feature[] | undefined;
      return features?.filter((feature) => feature !== "watch");
    });
}

function define(target: object, name: string | symbol, get: () => unknown): void {
  Object.defineProperty(target, name, {
    enumerable: typeof name === "string",
    configurable: true,
    get,
  });
}
