import type { Harness } from "@fs/conformance";
import { StateBackend } from "@fs/state";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { GraphSession, type SessionOptions } from "./graph-session.js";

/** The suite inside running graphs: a thread for every case, a second task as the peer, another turn as the restart. */
export function stateHarness(
  name: string,
  checkpointer: () => BaseCheckpointSaver,
  field?: () => SessionOptions["field"],
  backend: () => StateBackend = () => new StateBackend(),
): Harness {
  const sessions = new Map<string, GraphSession>();
  const sessionOf = (ns: string): GraphSession => {
    const session = sessions.get(ns);
    if (session === undefined) throw new Error(`There is no session '${ns}'.`);
    return session;
  };
  return {
    name,
    create: ({ ns }) => {
      const schema = field?.();
      const session = new GraphSession({
        checkpointer: checkpointer(),
        thread: ns,
        ...(schema === undefined ? {} : { field: schema }),
      });
      sessions.set(ns, session);
      return { backend: session.within(backend()), dispose: () => session.end() };
    },
    peer: ({ ns }) => ({ backend: sessionOf(ns).within(backend(), 1) }),
    reopen: async ({ ns }) => {
      const session = sessionOf(ns);
      await session.end();
      return { backend: session.within(backend()) };
    },
    profile: { durable: true },
  };
}
