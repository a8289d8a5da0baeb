import type { Filesystem, SandboxFilesystem } from "../types/protocol.js";

/** What a call does to a path. */
export type FilesystemOperation = "read" | "write" | "delete" | "execute";

/** The name of a method a backend may have. */
export type MethodName = keyof BackendMethods;

/** Properties of a backend that are no calls on files. */
type NotACall = "semantics" | "features" | "featuresAt" | "close";

/** Every method a backend may have. A method added to the protocol is part of it at once. */
export type BackendMethods = Required<Omit<Filesystem, NotACall>> &
  Pick<SandboxFilesystem, "execute">;

type RequiredMethod = {
  [K in keyof Filesystem]-?: undefined extends Filesystem[K] ? never : K;
}[keyof Filesystem];

/** The name of a method that a backend may leave out. */
export type OptionalMethod = Exclude<MethodName, RequiredMethod>;

/** What the value of an option must be. */
export type OptionKind = "signal" | "count" | "text" | "version" | "flag" | "seconds";

/** What there is to know about one method, apart from what it does. */
export interface Method {
  /** Where each path is among the arguments, and what the call does to it. */
  readonly paths: ReadonlyArray<{
    readonly argument: number;
    readonly operations: readonly FilesystemOperation[];
    /** True where `undefined`, `null` and `""` mean the root. */
    readonly optional?: boolean;
  }>;
  /** True when a backend may leave it out. */
  readonly optional: boolean;
  /** True when it may change something. */
  readonly mutates: boolean;
  /**
   * What it answers: one result; a response for each file of the batch that is its first argument; or what a command did.
   */
  readonly answer: "result" | "batch" | "execution";
  /** The position of the options among the arguments. */
  readonly optionsAt: number;
  readonly options: Readonly<Record<string, OptionKind>>;
}

const reads = { operations: ["read"] } as const;
const writes = { operations: ["write"] } as const;
const edits = { operations: ["read", "write"] } as const;

/**
 * The one table of methods: wrappers, the router, the conformance suite and the tools derive from it what they know of a
 * method, so that adding one is adding a row.
 */
export const METHODS: {
  readonly [K in MethodName]: Method & {
    readonly optional: K extends OptionalMethod ? true : false;
  };
} = {
  ls: {
    paths: [{ argument: 0, ...reads, optional: true }],
    optional: false,
    mutates: false,
    answer: "result",
    optionsAt: 1,
    options: { limit: "count", after: "text", signal: "signal" },
  },
  read: {
    paths: [{ argument: 0, ...reads }],
    optional: false,
    mutates: false,
    answer: "result",
    optionsAt: 3,
    options: { signal: "signal" },
  },
  readRaw: {
    paths: [{ argument: 0, ...reads }],
    optional: false,
    mutates: false,
    answer: "result",
    optionsAt: 1,
    options: { signal: "signal" },
  },
  write: {
    paths: [{ argument: 0, ...writes }],
    optional: false,
    mutates: true,
    answer: "result",
    optionsAt: 2,
    options: { ifVersion: "version", ifAbsent: "flag", signal: "signal" },
  },
  edit: {
    paths: [{ argument: 0, ...edits }],
    optional: false,
    mutates: true,
    answer: "result",
    optionsAt: 4,
    options: { ifVersion: "version", signal: "signal" },
  },
  grep: {
    paths: [{ argument: 1, ...reads, optional: true }],
    optional: false,
    mutates: false,
    answer: "result",
    optionsAt: 4,
    options: {
      ignoreCase: "flag",
      regex: "flag",
      before: "count",
      after: "count",
      signal: "signal",
    },
  },
  glob: {
    paths: [{ argument: 1, ...reads, optional: true }],
    optional: false,
    mutates: false,
    answer: "result",
    optionsAt: 2,
    options: { limit: "count", after: "text", signal: "signal" },
  },
  stat: {
    paths: [{ argument: 0, ...reads }],
    optional: true,
    mutates: false,
    answer: "result",
    optionsAt: 1,
    options: { signal: "signal" },
  },
  delete: {
    paths: [{ argument: 0, operations: ["delete"] }],
    optional: true,
    mutates: true,
    answer: "result",
    optionsAt: 1,
    options: { ifVersion: "version", signal: "signal" },
  },
  multiEdit: {
    paths: [{ argument: 0, ...edits }],
    optional: true,
    mutates: true,
    answer: "result",
    optionsAt: 2,
    options: { ifVersion: "version", signal: "signal" },
  },
  move: {
    paths: [
      { argument: 0, operations: ["read", "delete"] },
      { argument: 1, ...writes },
    ],
    optional: true,
    mutates: true,
    answer: "result",
    optionsAt: 2,
    options: { overwrite: "flag", signal: "signal" },
  },
  copy: {
    paths: [
      { argument: 0, ...reads },
      { argument: 1, ...writes },
    ],
    optional: true,
    mutates: true,
    answer: "result",
    optionsAt: 2,
    options: { overwrite: "flag", signal: "signal" },
  },
  uploadFiles: {
    paths: [{ argument: 0, ...writes }],
    optional: true,
    mutates: true,
    answer: "batch",
    optionsAt: 1,
    options: { signal: "signal" },
  },
  downloadFiles: {
    paths: [{ argument: 0, ...reads }],
    optional: true,
    mutates: false,
    answer: "batch",
    optionsAt: 1,
    options: { signal: "signal" },
  },
  execute: {
    paths: [],
    optional: true,
    mutates: true,
    answer: "execution",
    optionsAt: 1,
    options: { timeout: "seconds", signal: "signal" },
  },
};

/** The names of all methods. */
export const METHOD_NAMES: readonly MethodName[] = Object.keys(METHODS).filter(
  (name): name is MethodName => Object.hasOwn(METHODS, name),
);
