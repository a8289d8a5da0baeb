import { access } from "node:fs/promises";
import { join } from "node:path";
import { ToolMessage } from "@langchain/core/messages";
import type { DemoRun } from "./run-demo.js";
import { NOTES, REFUSED, unnumbered } from "./survey.js";

/** Something the demo says happened, and whether it did. */
export interface Claim {
  readonly what: string;
  readonly held: boolean;
}

/** What is there after a run, looked at without any backend. */
export interface Evidence {
  /** The report as the database holds it. */
  readonly report: string | undefined;
  /** The host directory that the agent explored. */
  readonly workspace: string;
}

/**
 * Checks a run against the world.
 *
 * @param exact Whether the steps are known, so that every one of them must have gone as it should.
 */
export async function checkRun(run: DemoRun, evidence: Evidence, exact: boolean): Promise<Claim[]> {
  const { report } = evidence;
  const tools = run.messages.filter((message) => ToolMessage.isInstance(message));
  const claims: Claim[] = [
    {
      what: "the report is in the database",
      held: report !== undefined && report.trim() !== "",
    },
  ];
  if (!exact) return claims;
  const failed = tools.filter(({ status }) => status === "error");
  const edits = tools.filter(({ name }) => name === "edit_file");
  const notes = tools.findLast(
    ({ name, text }) => name === "read_file" && text.includes("# Survey"),
  );
  return [
    ...claims,
    {
      what: "one call was refused, by the rule about the workspace, and no other failed",
      held: failed.length === 1 && failed[0]?.text.includes(REFUSED) === true,
    },
    { what: "the workspace is as it was", held: await isMissing(evidence.workspace) },
    {
      what: "three parallel edits of one file were acknowledged, and are in it",
      held: edits.length === 3 && notes !== undefined && !notes.text.includes("(pending)"),
    },
    {
      what: "the report is the notes, byte for byte",
      held: report !== undefined && report === unnumbered(notes?.text ?? ""),
    },
    { what: "the notes are in LangGraph state", held: run.stateFiles.includes(NOTES) },
  ];
}

/** Whether what was refused is not there. */
async function isMissing(workspace: string): Promise<boolean> {
  try {
    await access(join(workspace, REFUSED.replace("/workspace/", "")));
    return false;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return true;
    throw error;
  }
}
