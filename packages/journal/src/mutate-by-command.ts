import type { ExecuteResponse } from "@fs/protocol";
import { outcomeOf } from "@fs/protocol/async";
import type { Ending, Intent, Recorder } from "./recorder.js";
import { changesSince, treeVersions } from "./scan.js";

/**
 * Runs a command and records it, with what it ended with.
 *
 * @param scans Whether the versions of all files are compared before and after: whatever changed meanwhile is in the record,
 *   the changes of others too.
 */
export async function mutateByCommand(
  recorder: Recorder,
  command: string,
  scans: boolean,
  run: () => Promise<ExecuteResponse>,
  signal?: AbortSignal,
): Promise<ExecuteResponse> {
  const { files } = recorder;
  const before = scans ? await treeVersions(files, signal) : undefined;
  const intent: Intent = { method: "execute", changes: [], exact: false, contents: [], command };
  const call = async (id: string): Promise<ExecuteResponse> => {
    const ran = await outcomeOf(run);
    if (ran.status === "rejected") {
      await recorder.end(id, { outcome: "unknown", changes: [] }, signal);
      throw ran.reason;
    }
    const { code, error, exitCode } = ran.value;
    const outcome = error === undefined ? "done" : "unknown";
    const ended: Ending = { outcome, code, exitCode, changes: [] };
    const look = async (): Promise<Ending> => {
      const found = before === undefined ? {} : await changesSince(files, before).catch(notFound);
      if (!("missed" in found)) return { ...ended, ...found };
      recorder.report(found.missed, id);
      return { ...ended, outcome: "unknown" };
    };
    await recorder.end(id, look(), signal);
    return ran.value;
  };
  return recorder.around(intent, call, signal);
}

/** The command has run, whatever the look at its files meets with. */
function notFound(missed: unknown): { readonly missed: unknown } {
  return { missed };
}
