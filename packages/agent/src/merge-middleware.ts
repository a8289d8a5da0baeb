import type { AgentMiddleware } from "langchain";

/** A built-in middleware, or the place where the user's own go. */
export type Slot = AgentMiddleware | "own";

/**
 * The built-ins with the user's middleware: one with the name of a built-in takes its place, the others stand where the slots
 * say, in their order.
 */
export function mergeMiddleware(
  slots: readonly Slot[],
  own: readonly AgentMiddleware[],
): AgentMiddleware[] {
  const byName = new Map(own.map((middleware) => [middleware.name, middleware]));
  const taken = new Set(slots.flatMap((slot) => (slot === "own" ? [] : [slot.name])));
  return slots.flatMap((slot) =>
    slot === "own" ? own.filter(({ name }) => !taken.has(name)) : [byName.get(slot.name) ?? slot],
  );
}
