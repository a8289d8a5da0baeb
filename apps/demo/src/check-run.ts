import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolMessage } from "@langchain/core/messages";
import type { DemoPlaces, DemoRun } from "./run-demo.js";
import { NOTES, unnumbered } from "./survey.js";

/** Something the demo says happened, and whether it did. */
export interface Claim {
  readonly what: string;
  readonly held: boolean;
}

/**
 * Checks a run against the world: the report is read from the disk by Node itself, not through the backend.
 *
 * @param exact Whether the steps are known, so that every one of them must have worked.
 */
export async function checkRun(run: DemoRun, places: DemoPlaces, exact: boolean): Promise<Claim[]> {
  const report = await readReport(places);
  const tools = run.messages.filter((message) => ToolMessage.isInstance(message));
  const claims: Claim[] = [
    { what: "the report is on disk", held: report !== undefined && report.trim() !== "" },
  ];
  if (!exact) return claims;
  const edits = tools.filter(({ name }) => name === "edit_file");
  const notes = tools.findLast(
    ({ name, text }) => name === "read_file" && text.includes("# Survey"),
  );
  return [
    ...claims,
    { what: "no tool call failed", held: tools.every(({ status }) => status !== "error") },
    { what: "three parallel edits of one file were acknowledged", held: edits.length === 3 },
    {
      what: "all three of them are in the file",
      held: notes !== undefined && !notes.text.includes("(pending)"),
    },
    {
      what: "the report is the notes, byte for byte",
      held: report !== undefined && report === unnumbered(notes?.text ?? ""),
    },
    { what: "the notes are in LangGraph state", held: run.stateFiles.includes(NOTES) },
  ];
}

async function readReport({ out }: DemoPlaces): Promise<string | undefined> {
  try {
    return await readFile(join(out, "report.md"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
