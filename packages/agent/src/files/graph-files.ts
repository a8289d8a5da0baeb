import { getConfig } from "@langchain/langgraph";

/** LangGraph's own name for what reads the state of a running task. `deepagents` and @fs/state rest on it too. */
const READ = "__pregel_read";

/** The `files` of the running graph's state, or `undefined` where it has no such field. */
export function filesOfGraph(): unknown {
  const read: unknown = getConfig()?.configurable?.[READ];
  if (typeof read !== "function") return undefined;
  try {
    return (read as (field: string, fresh: boolean) => unknown)("files", true) ?? {};
  } catch (error) {
    // A field that the graph does not have is an undefined object to LangGraph.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
