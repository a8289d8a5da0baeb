import { filePairs, pathList } from "./batch-arguments.js";
import { failure } from "../errors/messages.js";
import type { BackendProtocolV2, SandboxBackendProtocolV2 } from "../types/protocol.js";

/** Every method a backend may have. A method added to the protocol is part of it at once. */
export type BackendMethods = Required<Omit<BackendProtocolV2, "semantics">> &
  Pick<SandboxBackendProtocolV2, "execute">;

/** The name of a method a backend may have. */
export type MethodName = keyof BackendMethods;

/** What a wrapper makes of each method. One that is missing is a compile error, so no wrapper can let a call slip by. */
export type Wrapping = {
  readonly [K in MethodName]-?: (inner: BackendMethods[K]) => BackendMethods[K];
};

/** A backend that may be able to execute. */
export type MaybeSandbox = BackendProtocolV2 & Partial<Pick<BackendMethods, "execute">>;

type OptionalMethod = Exclude<MethodName, RequiredMethod>;
type RequiredMethod = {
  [K in keyof BackendProtocolV2]-?: undefined extends BackendProtocolV2[K] ? never : K;
}[keyof BackendProtocolV2];

const OPTIONAL: Readonly<Record<OptionalMethod, true>> = {
  delete: true,
  multiEdit: true,
  move: true,
  copy: true,
  uploadFiles: true,
  downloadFiles: true,
  execute: true,
};

/** Properties that are no methods, read through: an id may be known only once a sandbox has started. */
const PROPERTIES = ["id", "routePrefixes", "linkRoots", "semantics", Symbol.asyncDispose] as const;

/**
 * A backend whose every call goes through a wrapping. Optional methods, `id` and `routePrefixes` are there exactly when
 * the inner backend has them.
 *
 * @param dropped Optional methods that are left out all the same.
 */
export function wrapBackend(
  inner: MaybeSandbox,
  wrapping: Wrapping,
  dropped: readonly OptionalMethod[] = [],
): BackendProtocolV2 {
  const upload = wrapping.uploadFiles((...args) => inner.uploadFiles?.(...args) ?? []);
  const download = wrapping.downloadFiles((...args) => inner.downloadFiles?.(...args) ?? []);
  const methods: BackendMethods = {
    ls: wrapping.ls((...args) => inner.ls(...args)),
    read: wrapping.read((...args) => inner.read(...args)),
    readRaw: wrapping.readRaw((...args) => inner.readRaw(...args)),
    write: wrapping.write((...args) => inner.write(...args)),
    edit: wrapping.edit((...args) => inner.edit(...args)),
    glob: wrapping.glob((...args) => inner.glob(...args)),
    grep: wrapping.grep((...args) => inner.grep(...args)),
    delete: wrapping.delete(
      (...args) => inner.delete?.(...args) ?? failure("unsupported", args[0]),
    ),
    multiEdit: wrapping.multiEdit(
      (...args) => inner.multiEdit?.(...args) ?? failure("unsupported", args[0]),
    ),
    move: wrapping.move((...args) => inner.move?.(...args) ?? failure("unsupported", args[0])),
    copy: wrapping.copy((...args) => inner.copy?.(...args) ?? failure("unsupported", args[0])),
    uploadFiles: (files, options) => upload(filePairs(files), options),
    downloadFiles: (paths, options) => download(pathList(paths), options),
    execute: wrapping.execute(
      (...args) => inner.execute?.(...args) ?? { output: "", exitCode: null, truncated: false },
    ),
  };
  const wrapped: MaybeSandbox = methods;
  for (const name of optionalMethods()) {
    if (typeof inner[name] !== "function" || dropped.includes(name)) delete wrapped[name];
  }
  forwardProperties(inner, wrapped, dropped.includes("execute"));
  return wrapped;
}

function optionalMethods(): OptionalMethod[] {
  return Object.keys(OPTIONAL).filter((name): name is OptionalMethod =>
    Object.hasOwn(OPTIONAL, name),
  );
}

function forwardProperties(inner: object, wrapped: object, withoutId: boolean): void {
  for (const name of PROPERTIES) {
    if (!(name in inner) || (name === "id" && withoutId)) continue;
    Object.defineProperty(wrapped, name, {
      enumerable: typeof name === "string",
      configurable: true,
      get: () => {
        const value: unknown = Reflect.get(inner, name, inner);
        return typeof value === "function" ? value.bind(inner) : value;
      },
    });
  }
}
