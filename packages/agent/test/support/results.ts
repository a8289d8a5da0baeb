import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { INTERRUPT, isInterrupted } from "@langchain/langgraph";
import type { HITLRequest } from "langchain";

/** A human's input. */
export const say = (content: string) => ({ messages: [{ role: "user" as const, content }] });

/** The configuration of a thread. */
export const inThread = (thread_id: string) => ({ configurable: { thread_id } });

/** The questions that a run waits with. */
export function questions(result: unknown): Array<{ id: string; value: HITLRequest }> {
  if (!isInterrupted(result)) return [];
  return result[INTERRUPT].map(({ id, value }) => ({ id: id ?? "", value: value as HITLRequest }));
}

/** Results of tools, by the name of the tool and in order. */
export function results(messages: readonly BaseMessage[], name?: string): ToolMessage[] {
  return messages.filter(
    (message): message is ToolMessage =>
      ToolMessage.isInstance(message) && (name === undefined || message.name === name),
  );
}

/** The texts of files in a state. */
export function texts(
  files: Readonly<Record<string, { content?: unknown }>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(files).map(([path, { content }]) => [path, content]));
}

/** What the checkpointer holds of a thread. */
export async function stateOf(
  agent: unknown,
  thread: string,
): Promise<{
  readonly values: { readonly messages: BaseMessage[] };
  readonly tasks: ReadonlyArray<{ readonly interrupts?: readonly unknown[] }>;
}> {
  // createAgent's type leaves the method out.
  const { getState } = agent as { getState(config: object): Promise<never> };
  return Reflect.apply(getState, agent, [inThread(thread)]);
}

/** The messages that a thread holds. */
export async function messagesOf(agent: unknown, thread: string): Promise<BaseMessage[]> {
  return (await stateOf(agent, thread)).values.messages;
}

/** Changes the state of a thread from outside a run. */
export async function updateState(agent: unknown, thread: string, update: object): Promise<void> {
  const { updateState: change } = agent as {
    updateState(config: object, update: object): Promise<void>;
  };
  await Reflect.apply(change, agent, [inThread(thread), update]);
}
