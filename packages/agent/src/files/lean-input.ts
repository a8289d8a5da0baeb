import { isCommand } from "@langchain/langgraph";
import { isRecord } from "../messages/record.js";

/** The methods of an agent that begin a run, or make another agent. */
interface Runs {
  invoke(input: unknown, ...rest: unknown[]): unknown;
  stream(input: unknown, ...rest: unknown[]): unknown;
  streamEvents(input: unknown, ...rest: unknown[]): unknown;
  withConfig(config: object): Runs;
  readonly graph: { readonly channels: Readonly<Record<string, unknown>> };
}

/**
 * The same agent, whose runs do not store the thread's files anew. `createAgent` completes the input of each run with whatever
 * else the thread holds, which would be checkpointed twice; a field that is given it leaves alone, so no change is given.
 */
export function withLeanInput<T>(agent: T): T {
  const own = agent as Runs;
  if (!("files" in own.graph.channels)) return agent;
  for (const name of ["invoke", "stream", "streamEvents"] as const) {
    const begin = own[name].bind(own);
    own[name] = (input, ...rest) => begin(leanInput(input), ...rest);
  }
  const configured = own.withConfig.bind(own);
  own.withConfig = (config) => withLeanInput(configured(config));
  return agent;
}

function leanInput(input: unknown): unknown {
  return isRecord(input) && !isCommand(input) && input["files"] === undefined
    ? { ...input, files: {} }
    : input;
}
