import { type StructuredTool, tool, type ToolRuntime } from "@langchain/core/tools";
import { z } from "zod";
import type { OnError } from "../types/report.js";
import type { MergingFields } from "./boundary.js";
import { answer } from "./report.js";
import { type ReadySubAgent, runSubAgent } from "./run.js";

/** What the tool needs of its agent. */
export interface TaskToolOptions {
  readonly subagents: readonly ReadySubAgent[];
  /** The merging fields of the agent's state. */
  readonly fields: MergingFields;
  /** Replaces the tool's description; `{available_agents}` in it is where the list goes. */
  readonly taskDescription: string | undefined;
  readonly report: OnError;
}

/** The tool `task`, which runs a subagent and answers with its report. */
export function createTaskTool(options: TaskToolOptions): StructuredTool {
  const byName = new Map(options.subagents.map((subagent) => [subagent.name, subagent]));
  const schema = z.object({
    description: z.string().describe("The whole task, and what to report"),
    subagent_type: z.string().describe(`One of: ${[...byName.keys()].join(", ")}`),
  });
  const run = async (
    { description, subagent_type: type }: z.output<typeof schema>,
    runtime: ToolRuntime,
  ) => {
    const subagent = byName.get(type);
    if (subagent === undefined)
      return answer(
        `Error: there is no subagent '${type}'. 'subagent_type' is one of: ${[...byName.keys()].join(", ")}.`,
        runtime.toolCallId ?? "",
        true,
      );
    return runSubAgent(subagent, description, runtime, options.fields, options.report);
  };
  return tool(run, { name: "task", description: describe(options), schema });
}

function describe({ subagents, taskDescription }: TaskToolOptions): string {
  const list = subagents
    .map(({ name, description, fork }) => {
      const sees = fork ? " (sees this conversation)" : "";
      return `- ${name}: ${description}${sees}`;
    })
    .join("\n");
  if (taskDescription === undefined)
    return `Delegate a task to a subagent and get its report.\n${list}`;
  const place = "{available_agents}";
  const at = taskDescription.indexOf(place);
  return at === -1
    ? taskDescription
    : `${taskDescription.slice(0, at)}${list}${taskDescription.slice(at + place.length)}`;
}
