import { createDeepAgent } from "@fs/agent";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend, type Filesystem, withPermissions } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { HumanMessage, type BaseMessage } from "@langchain/core/messages";
import type { Driver } from "./choose-model.js";
import { NOTES, REPORT } from "./survey.js";
import { render } from "./transcript.js";

const TASK = `Survey the files below /workspace: what kinds of files there are, what the main document says, and what work is open.
Keep a draft in ${NOTES} with one "(pending)" line per finding, fill the lines in by parallel edits in one turn, check the draft,
and write the final report to ${REPORT}.`;

/** Folders of things that were built or installed: the agent neither sees nor finds them. */
const BUILT =
  "{.git,.turbo,.build,node_modules,dist,build,out,target,vendor,coverage,reports,__pycache__}";

/** What a run left behind. */
export interface DemoRun {
  readonly messages: readonly BaseMessage[];
  /** Paths of the files in LangGraph state. */
  readonly stateFiles: readonly string[];
  /** The paths of the workspace that the agent could see. */
  readonly workspaceFiles: readonly string[];
}

export interface DemoPlaces {
  /** Host directory that the agent explores. */
  readonly workspace: string;
  /** Where its report goes. */
  readonly reports: Filesystem;
}

/**
 * Runs an agent over three mounts: LangGraph state, a real folder that it may only read, and a table of reports.
 *
 * @param print Called with each line of the transcript, as it happens.
 */
export async function runDemo(
  places: DemoPlaces,
  driver: Driver,
  print: (line: string) => void,
): Promise<DemoRun> {
  const workspace = withPermissions(new FilesystemBackend({ rootDir: places.workspace }), [
    { operations: ["read"], paths: [`/**/${BUILT}`, `/**/${BUILT}/**`], mode: "deny" },
    { operations: ["write"], paths: ["/**"], mode: "deny" },
  ]);
  const backend = new CompositeBackend(new StateBackend(), {
    "/workspace/": workspace,
    "/reports/": places.reports,
  });
  const agent = createDeepAgent({ model: driver.model, backend });
  const input = { messages: [new HumanMessage(TASK)] };
  let messages: readonly BaseMessage[] = [];
  let stateFiles: readonly string[] = [];
  for await (const state of await agent.stream(input, {
    streamMode: "values",
    recursionLimit: 100,
  })) {
    for (const message of state.messages.slice(messages.length))
      render(message, state.messages).forEach(print);
    messages = [...state.messages];
    stateFiles = Object.keys(state.files);
  }
  const seen = await workspace.glob("**");
  return { messages, stateFiles, workspaceFiles: seen.files?.map(({ path }) => path) ?? [] };
}
