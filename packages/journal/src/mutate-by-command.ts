import type { ExecuteResponse } from "@fs/protocol";
import type { Ending, Recorder } from "./recorder.js";
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
  const id = await recorder.begin({
    method: "execute",
    changes: [],
    exact: false,
    contents: [],
    command,
  });
  const answer = await run();
  const { code, exitCode } = answer;
  const outcome = answer.error === undefined ? "done" : "unknown";
  const ended: Ending = { outcome, code, exitCode, changes: [] };
  const found = before === undefined ? {} : await changesSince(files, before).catch(notFound);
  if ("missed" in found) recorder.report(found.missed, id);
  await recorder.end(
    id,
    "missed" in found ? { ...ended, outcome: "unknown" } : { ...ended, ...found },
  );
  return answer;
}

/** The command has run, whatever the look at its files meets with. */
function notFound(missed: unknown): { readonly missed: unknown } {
  return { missed };
}
