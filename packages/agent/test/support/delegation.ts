import { createDeepAgent } from "@fs/agent";
import type { AnyBackendProtocol } from "@fs/protocol";
import type { BaseMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, Command } from "@langchain/langgraph";
import { inThread, questions, say, texts } from "./results.js";
import { type Call, edit, read, ScriptedModel, task, write } from "./scripted-model.js";

/** The file that all subagents edit. */
export const FILE = "/shared.md";

/** Lines of the file before and after. */
export const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at}.\n`).join("");

export interface Delegation {
  readonly checkpointer: BaseCheckpointSaver;
  readonly count: number;
  readonly backend?: AnyBackendProtocol;
  /** Which subagents must ask before their edit. */
  readonly asks?: (at: number) => boolean;
  /** Called when a subagent is about to make its edit. */
  readonly beforeEdit?: (at: number) => void | Promise<void>;
}

/**
 * An agent that writes a file and then sends subagents to change one line each, all at once. Its models are functions of what
 * they are sent, so that the same agent can be built again in another process.
 */
export function delegating({ checkpointer, count, backend, asks, beforeEdit }: Delegation) {
  const worker = async (messages: readonly BaseMessage[]) => {
    const at = Number(messages.find((message) => message.getType() === "human")?.text);
    const done = messages.filter((message) => message.getType() === "tool").length;
    const own: Call = write(`/early-${at}.md`, `early ${at}`);
    if (done === 0) return [own, read(FILE)];
    if (done === 2) {
      await beforeEdit?.(at);
      return [edit(FILE, `line ${at}.`, `done ${at}.`)];
    }
    return `report ${at}: ${messages.at(-1)?.text}`;
  };
  const lead = (messages: readonly BaseMessage[]) => {
    const done = messages.filter((message) => message.getType() === "tool").length;
    if (done === 0) return [write(FILE, lines(count, "line"))];
    if (done === 1)
      return Array.from({ length: count }, (_, at) =>
        task(asks?.(at) === true ? "asking" : "worker", String(at), `task-${at}`),
      );
    return "finished";
  };
  const sub = (name: string) => ({
    name,
    description: "Changes a line.",
    model: new ScriptedModel(worker),
    ...(name === "asking" ? { interruptOn: { edit_file: true } } : {}),
  });
  return createDeepAgent({
    model: new ScriptedModel(lead),
    checkpointer,
    ...(backend === undefined ? {} : { backend }),
    subagents: [sub("worker"), sub("asking")],
  });
}

type Agent = ReturnType<typeof delegating>;

/** Answers every question, all at once or one by one, each time with a new agent as after a restart. */
export async function answerAll(
  build: () => Agent,
  thread: string,
  how: "together" | "one by one",
  first: unknown,
): Promise<{ files: Record<string, unknown>; asked: number; reports: string[] }> {
  let result = first;
  let asked = 0;
  for (let open = questions(result); open.length > 0; open = questions(result)) {
    const now = how === "together" ? open : open.slice(0, 1);
    asked += now.length;
    const resume = Object.fromEntries(
      now.map(({ id }) => [id, { decisions: [{ type: "approve" }] }]),
    );
    result = await build().invoke(new Command({ resume }), inThread(thread));
  }
  const { files, messages } = result as {
    files: Record<string, { content?: unknown }>;
    messages: BaseMessage[];
  };
  const reports = messages.filter(({ name }) => name === "task").map(({ text }) => text);
  return { files: texts(files), asked, reports };
}

/** Starts the agent in a thread. */
export const start = (agent: Agent, thread: string) => agent.invoke(say("go"), inThread(thread));

/** What the files hold when nothing was lost and nothing done twice. */
export function expectedFiles(count: number): Record<string, string> {
  return {
    [FILE]: lines(count, "done"),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`/early-${at}.md`, `early ${at}`]),
    ),
  };
}
