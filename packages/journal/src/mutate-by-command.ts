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
): Promise<ExecuteResponse> {
  const { files } = recorder;
  const before = scans ? await treeVersions(files) : undefined;
  const intent: Intent = { method: "execute", changes: [], exact: false, contents: [], command };
  return recorder.around(intent, async (id) => {
    const ran = await outcomeOf(run);
    if (ran.status === "rejected") {
      await recorder.end(id, { outcome: "unknown", changes: [] });
      throw ran.reason;
    }
    const { code, error, exitCode } = ran.value;
    const outcome = error === undefined ? "done" : "unknown";
    const ended: Ending = { outcome, code, exitCode, changes: [] };
    const found = before === undefined ? {} : await changesSince(files, before).catch(notFound);
    if ("missed" in found) recorder.report(found.missed, id);
    await recorder.end(
      id,
      "missed" in found ? { ...ended, outcome: "unknown" } : { ...ended, ...found },
    );
    return ran.value;
  });
}

/** The command has run, whatever the look at its files meets with. */
function notFound(missed: unknown): { readonly missed: unknown } {
  return { missed };
}
