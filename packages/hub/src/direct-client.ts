import type { Client } from "langsmith";

/** A client whose calls are made once, as far as that can be had. */
export interface DirectClient {
  readonly client: Client;
  /** False when the client may have repeated a request by itself: then no refusal is sure to be the first answer. */
  readonly once: boolean;
}

/**
 * The same client without its own retries. It repeats a push whose answer was lost, and the repetition is then refused as
 * a conflict with the very commit that it made: whoever wants to know what became of a push has to see every answer.
 *
 * The client offers no such setting (0.12 overrides `callerOptions.maxRetries`), so a view of it gets a caller that calls
 * once. The view also keeps its own `settings`, because the client remembers a failed request for them for good.
 */
export function withoutRetries(client: Client): DirectClient {
  const caller: unknown = Reflect.get(client, "caller");
  if (typeof caller !== "object" || caller === null || !("call" in caller)) {
    return { client, once: false };
  }
  const view: Client = Object.create(client, {
    caller: { value: { call: callOnce } },
    settings: { value: undefined, writable: true },
  });
  return { client: view, once: true };
}

async function callOnce(
  task: (...args: unknown[]) => Promise<unknown>,
  ...args: unknown[]
): Promise<unknown> {
  return task(...args);
}
