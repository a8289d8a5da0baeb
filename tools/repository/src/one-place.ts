import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "oxc-parser";

/**
 * What starts a process or a thread, or opens connections, by the module that it comes from. A package does each in one file,
 * which sees to what every one of them needs: a listener of errors, no signal to what never ran, limits of time.
 */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  "node:child_process": [
    "spawn",
    "fork",
    "exec",
    "execFile",
    "spawnSync",
    "execSync",
    "execFileSync",
  ],
  "node:worker_threads": ["Worker"],
  "node:http": ["createServer", "request", "get", "Agent"],
  "node:https": ["createServer", "request", "get", "Agent"],
  "node:net": ["createServer", "createConnection", "connect", "Socket", "Server"],
  pg: ["default", "Pool", "Client"],
  "@electric-sql/pglite": ["PGlite"],
  ioredis: ["default", "Redis", "Cluster"],
  redis: ["createClient", "createCluster"],
  "@aws-sdk/client-s3": ["S3Client", "S3"],
  langsmith: ["Client"],
};

/** Openers that answer with no emitter of errors: what fails rejects or throws. */
const WITHOUT_EMITTER = new Set(["@aws-sdk/client-s3", "langsmith", "@electric-sql/pglite"]);
/** Those of `node:child_process` that end before they return, or pass on how they failed. */
const REPORTING = /Sync$|^exec/;

/** Sources that may signal a process by its number, and why that cannot be another's. */
const SIGNALS_BY_NUMBER: Readonly<Record<string, string>> = {
  "packages/disk/src/lock/owner.ts": "signal 0 only asks whether a process lives",
  "packages/conformance/src/cli/run-command.ts": "its own process, by the signal that it was sent",
  "packages/shell/src/command/start-program.ts":
    "a group's number is its own while it was not seen empty",
};

/** Timers that nothing has to clear, and why. */
const TIMERS_THAT_END: Readonly<Record<string, string>> = {
  "packages/protocol/src/concurrency/breather.ts": "a pause of no time",
  "packages/conformance/src/faults/faulty-volume.ts": "a pause that a call of a test waits for",
  "packages/conformance/src/cli/runner-process.ts": "beats as long as its process lives",
};

export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/** The sources of a package. */
export function sourcesOf(root: string, folder: string): SourceFile[] {
  const src = join(root, folder, "src");
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(root, file), text: readFileSync(file, "utf8") }));
}

/** Where a package opens what it should open in one place, or leaves it without what it needs, as sentences. */
export function onePlaceViolations(files: readonly SourceFile[]): string[] {
  const places = new Map<string, string[]>();
  const problems: string[] = [];
  for (const { path, text } of files) {
    for (const [module, emits] of openedIn(path, text)) {
      places.set(module, [...(places.get(module) ?? []), path]);
      if (emits && !/\.on\(\s*"error"/.test(text))
        problems.push(`${path}: opens with ${module}, and has no listener of errors`);
    }
    problems.push(...strayIn(path, text));
  }
  for (const [module, paths] of places)
    if (paths.length > 1) problems.push(`${module} is opened in ${paths.join(" and ")}`);
  return problems;
}

/** The modules whose openers a file imports as values, statically or not, and whether what they open emits errors. */
function openedIn(path: string, text: string): Map<string, boolean> {
  const { module, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const opened = new Map<string, boolean>();
  const add = (name: string, emits: boolean): void => {
    opened.set(name, opened.get(name) === true || (emits && !WITHOUT_EMITTER.has(name)));
  };
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { isType, importName } of entries) {
      const openers = OPENERS[moduleRequest.value];
      if (isType || openers === undefined) continue;
      const name = importName.name ?? "default";
      // A namespace or a default may hold all of them.
      if (name === "default" || openers.includes(name))
        add(moduleRequest.value, !REPORTING.test(name));
    }
  for (const { moduleRequest } of module.dynamicImports) {
    const name = /^(["'`])([^$]*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2];
    if (name !== undefined && name in OPENERS) add(name, true);
  }
  return opened;
}

/** Signals by number and timers that outlive their work. */
function strayIn(path: string, text: string): string[] {
  const problems: string[] = [];
  if (/\bprocess\.kill\(/.test(text) && !(path in SIGNALS_BY_NUMBER))
    problems.push(`${path}: signals a process by its number`);
  const promised = /from "node:timers\/promises"/.test(text);
  for (const kind of ["Timeout", "Interval"])
    if (
      new RegExp(`\\bset${kind}\\(`).test(text) &&
      !new RegExp(`\\bclear${kind}\\b`).test(text) &&
      !promised &&
      !(path in TIMERS_THAT_END)
    )
      problems.push(`${path}: starts a timer and never clears it`);
  return problems;
}
