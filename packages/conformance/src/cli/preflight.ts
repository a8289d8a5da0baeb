import type { BackendProtocolV2 } from "@fs/protocol";
import type { Case } from "../cases/case.js";
import type { CaseContext } from "../engine/case-context.js";
import { instanceOf } from "../harness/harness.js";

/** The methods that every backend has. */
const REQUIRED = ["ls", "read", "readRaw", "write", "edit", "glob", "grep"] as const;
const FILE = "/preflight.txt";

/** Looks at the harness before any case does. */
export interface Preflight {
  /** To be run by a session; not a case of the suite and in no report. */
  readonly case: Case;
  /** What is wrong with the harness. Only calls that a backend answers count: broken ones are for the cases to tell. */
  readonly problem: () => string | undefined;
}

/**
 * Sees that `create` answers a backend, that it is empty, and that two namespaces do not share files: what, when it is
 * not so, makes every case fail for a reason that none can tell.
 *
 * @param onCreated Hears of the first backend, after `setup`.
 * @param calls Whether to call the backend at all.
 */
export function preflight(onCreated: () => void, calls: boolean): Preflight {
  let problem: string | undefined;
  return {
    problem: () => problem,
    case: {
      id: "harness/preflight",
      rules: ["A1"],
      level: "core",
      needs: [],
      why: "The harness makes empty backends that share nothing.",
      run: async (context) => {
        onCreated();
        problem = shapeProblem(context.instance.backend);
        if (calls) problem ??= (await emptinessProblem(context)) ?? (await sharingProblem(context));
        context.check.that(true, "The harness was looked at.");
      },
    },
  };
}

function shapeProblem(backend: BackendProtocolV2): string | undefined {
  const missing = REQUIRED.filter((name) => typeof Reflect.get(backend, name) !== "function");
  if (missing.length === 0) return undefined;
  return `'create' answers something without ${missing.join(", ")}. It must answer a backend with the methods of BackendProtocolV2, or { backend, dispose }.`;
}

async function emptinessProblem({ instance }: CaseContext): Promise<string | undefined> {
  const listed = await answered(() => instance.backend.ls("/"));
  const files: unknown = listed?.["files"];
  if (!Array.isArray(files) || files.length === 0) return undefined;
  const names = files.slice(0, 3).map((file: unknown) => JSON.stringify(file));
  return `'create' answers a backend that is not empty: ls("/") has ${names.join(", ")}. Give every 'ns' a directory, a prefix or a schema of its own.`;
}

async function sharingProblem({
  harness,
  instance,
  signal,
}: CaseContext): Promise<string | undefined> {
  // Within a step of a graph, only the step's own backend can be asked.
  if (harness.around !== undefined) return undefined;
  const written = await answered(() => instance.backend.write(FILE, instance.ns));
  if (written === undefined || written["error"] !== undefined) return undefined;
  const ns = `${instance.ns}-other`;
  const other = instanceOf(await harness.create({ ns, signal }), ns);
  try {
    const read = await answered(() => other.backend.read(FILE));
    return read?.["content"] === instance.ns
      ? `Two namespaces share their files: what was written for ns '${instance.ns}' is read for '${ns}'. 'create' must make the storage depend on 'ns'.`
      : undefined;
  } finally {
    await other.dispose?.();
  }
}

/** The answer as a record; `undefined` for a call that threw or answered nothing. */
async function answered(call: () => unknown): Promise<Record<string, unknown> | undefined> {
  const [settled] = await Promise.allSettled([(async () => call())()]);
  const value: unknown = settled?.status === "fulfilled" ? settled.value : undefined;
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}
