import {
  interrupt,
  Send,
  START,
  StateGraph,
  StateSchema,
  type BaseCheckpointSaver,
} from "@langchain/langgraph";
import { filesSchema, filesValue, sharedFiles, StateBackend } from "@fs/state";
import { z } from "zod/v4";

/** What a test observes of its subagents: acknowledged lines, and how often each step of each was run. */
export interface Observed {
  readonly acknowledged: string[];
  readonly runs: Map<string, number>;
}

export const SHARED_PATH = "/shared.md";

/**
 * A graph that sends so many callers into one superstep. Each runs a subagent of three steps, all of which add a line to one
 * file by replacing its end mark; where `asks` says so, the subagent interrupts between the second and the third.
 */
export function delegatingGraph(options: {
  readonly checkpointer: BaseCheckpointSaver;
  readonly count: number;
  readonly asks: (name: string) => boolean;
  readonly observed: Observed;
}) {
  const { observed } = options;
  const files = new StateBackend();
  const line = async (name: string, step: string) => {
    const key = `${name}.${step}`;
    observed.runs.set(key, (observed.runs.get(key) ?? 0) + 1);
    const { error } = await files.edit(SHARED_PATH, "END", `${key}\nEND`);
    if (error !== undefined) throw new Error(error);
    observed.acknowledged.push(key);
    return {};
  };
  const inner = new StateGraph(new StateSchema({ name: z.string(), ...filesSchema.fields }))
    .addNode("first", async ({ name }) => line(name, "first"))
    .addNode("second", async ({ name }) => line(name, "second"))
    .addNode("asking", async ({ name }) => {
      if (options.asks(name)) interrupt(name);
      return {};
    })
    .addNode("third", async ({ name }) => line(name, "third"))
    .addEdge(START, "first")
    .addEdge("first", "second")
    .addEdge("first", "asking")
    .addEdge(["second", "asking"], "third")
    .compile();
  return new StateGraph(new StateSchema({ files: filesValue() }))
    .addNode("start", async () => {
      await files.write(SHARED_PATH, "END");
      return {};
    })
    .addNode("delegate", async ({ name }: { name: string }) => {
      await inner.invoke({ name }, { configurable: sharedFiles() });
      return {};
    })
    .addEdge(START, "start")
    .addConditionalEdges(
      "start",
      () =>
        Array.from({ length: options.count }, (_, n) => new Send("delegate", { name: `s${n}` })),
      ["delegate"],
    )
    .compile({ checkpointer: options.checkpointer });
}

/** The lines that every subagent's steps add. */
export function expectedLines(count: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    ["first", "second", "third"].map((step) => `s${n}.${step}`),
  )
    .flat()
    .toSorted();
}

/** The lines of the shared file, sorted, without its end mark. */
export function linesOf(content: unknown): string[] {
  if (typeof content !== "string") throw new TypeError("The shared file is no text.");
  return content.split("\n").slice(0, -1).toSorted();
}
