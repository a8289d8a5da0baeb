import { configurableValues } from "./running-graph.js";

const CHECKPOINTER = "__pregel_checkpointer";

/**
 * The checkpointer that graphs of this task inherit, whose checkpoints load once `ready` is settled. A resumed subagent loads
 * its own before it does anything, so that what it had done is there again before it goes on, or ends without a look at files.
 */
export function waitingCheckpointer(ready: Promise<unknown>): Record<string, unknown> {
  // Reported by the load that waits for it. Without one there is no subagent, and nothing to report.
  ready.catch(() => undefined);
  const saver = configurableValues()?.[CHECKPOINTER];
  if (typeof saver !== "object" || saver === null) return {};
  return {
    [CHECKPOINTER]: new Proxy(saver, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        // Called on the saver itself, which may have private members.
        if (name !== "getTuple")
          return (...given: unknown[]): unknown => Reflect.apply(member, target, given);
        return async (...given: unknown[]): Promise<unknown> => {
          await ready;
          return Reflect.apply(member, target, given);
        };
      },
    }),
  };
}
