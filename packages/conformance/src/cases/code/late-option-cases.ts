import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import { unguardedCall } from "../../engine/unguarded-call.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const encoder = new TextEncoder();
const PATH = "/d/a.txt";

/** Options of a call, and what their owner makes of them once the call was made. */
interface Late {
  readonly method: string;
  readonly args: (options: object) => unknown[];
  readonly options: Record<string, unknown>;
  readonly later: Readonly<Record<string, unknown>>;
  /** The codes with which the call is refused as it was made; none where it succeeds. */
  readonly codes?: readonly string[];
}

/** Changes at a version that is not that of the file, and later would be. */
function versioned({ profile }: CaseContext, version: string | undefined): Late[] {
  if (!profile.versions || version === undefined) return [];
  const calls: ReadonlyArray<readonly [string, boolean, (options: object) => unknown[]]> = [
    ["write", true, (options) => [PATH, "lost\n", options]],
    ["edit", true, (options) => [PATH, "one", "lost", false, options]],
    ["multiEdit", profile.multiEdit, (options) => [PATH, [{ old: "one", new: "lost" }], options]],
    ["delete", profile.delete, (options) => [PATH, options]],
  ];
  return calls
    .filter(([, offered]) => offered)
    .map(([method, , args]) => ({
      method,
      args,
      options: { ifVersion: `${version}0` },
      later: { ifVersion: version },
      codes: ["conflict", "invalid_argument"],
    }));
}

function others(context: CaseContext): Late[] {
  const { profile } = context;
  const aborted = AbortSignal.abort();
  const late: Late[] = [
    {
      method: "grep",
      args: (options) => ["ONE", "/", null, null, options],
      options: { ignoreCase: false },
      later: { ignoreCase: true },
    },
    {
      method: "grep",
      args: (options) => ["o.e", "/", null, null, options],
      options: { regex: false },
      later: { regex: true },
    },
  ];
  if (profile.signals)
    late.push({
      method: "glob",
      args: (options) => ["none", "/", options],
      options: {},
      later: { signal: aborted },
    });
  for (const method of ["move", "copy"] as const)
    if (profile[method])
      late.push({
        method,
        args: (options) => [PATH, "/d/b.txt", options],
        options: { overwrite: false },
        later: { overwrite: true },
        codes: ["already_exists"],
      });
  if (hasFeature(context, "conditionalUploads"))
    late.push({
      method: "uploadFiles",
      args: (options) => [[[PATH, encoder.encode("lost\n"), options]]],
      options: { ifAbsent: true },
      later: { ifAbsent: false },
      codes: ["already_exists"],
    });
  return late;
}

/** A5: a call is made with what its options say when it is made. */
async function readAtOnce(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const files = { [PATH]: "one\n", "/d/b.txt": "two\n" };
  await context.given(files);
  const { version } = await backend.read(PATH);
  for (const { method, args, options, later, codes } of [
    ...versioned(context, version),
    ...others(context),
  ]) {
    const what = `${method} with ${JSON.stringify(options)}, which became ${Object.keys(later).join()} of another value,`;
    const pending = unguardedCall(context, method, args(options));
    Object.assign(options, later);
    const answer = (await pending) as Answered;
    const one = Array.isArray(answer) ? (answer[0] as Answered) : answer;
    if (codes === undefined) {
      check.succeeded(one, what, "A5");
      const { files: found, matches } = one as { files?: unknown[]; matches?: unknown[] };
      check.equal(found ?? matches, [], `What ${what} finds`, "A5");
    } else check.failed(one, codes, what, "A5");
    await context.holds(files, backend, "A5");
  }
}

/** Options that their owner uses again. */
export const lateOptionCases: readonly Case[] = [
  {
    id: "guard/options-read-at-once",
    rules: ["A5", "W5", "M1"],
    level: "core",
    needs: ["transfer"],
    why: "A call goes by its options as they were when it was made, whatever their owner does to the object afterwards.",
    hint: "Read the options before the first await, and hand on what was read.",
    run: readAtOnce,
  },
];
