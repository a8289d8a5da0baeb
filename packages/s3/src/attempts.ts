import { attemptsOf, isDoubtful, isLostRace } from "./failures.js";

/** Errors of requests of which one attempt at least may have taken effect. The last attempt alone does not show it. */
const DOUBTFUL = new WeakSet<object>();
/** Errors of requests of which no attempt had another doubtful outcome than that it lost a race. */
const LOST_RACES = new WeakSet<object>();
/** Errors of requests whose attempts were all seen. */
const SEEN = new WeakSet<object>();

/** The part of an SDK's command that lets each attempt be seen. */
interface Recordable {
  readonly middlewareStack: {
    add(
      middleware: (next: (args: never) => Promise<unknown>) => (args: never) => Promise<unknown>,
      options: { step: "finalizeRequest"; priority: "low"; name: string },
    ): void;
  };
}

/** Runs a request and notes of its error whether any of the attempts that the SDK made may have taken effect. */
export async function recordAttempts<T>(command: object, send: () => Promise<T>): Promise<T> {
  let doubtful = false;
  let open = false;
  (command as Recordable).middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        doubtful ||= isDoubtful(error);
        open ||= isDoubtful(error) && !isLostRace(error);
        throw error;
      }
    },
    { step: "finalizeRequest", priority: "low", name: "recordAttempts" },
  );
  try {
    return await send();
  } catch (error) {
    if (typeof error === "object" && error !== null) {
      SEEN.add(error);
      if (doubtful) DOUBTFUL.add(error);
      if (doubtful && !open) LOST_RACES.add(error);
    }
    throw error;
  }
}

/**
 * Whether a change that failed may have taken effect all the same: the answer of one attempt was lost or a failure of the
 * server, and the last one met what that left behind.
 */
export function mayHaveHappened(error: unknown): boolean {
  if (typeof error === "object" && error !== null && SEEN.has(error)) return DOUBTFUL.has(error);
  return isDoubtful(error) || attemptsOf(error) > 1;
}

/** Whether a change failed because others were made at the same moment, as the answer to each of its attempts says. */
export function hasLostRaces(error: unknown): boolean {
  return typeof error === "object" && error !== null && LOST_RACES.has(error);
}
