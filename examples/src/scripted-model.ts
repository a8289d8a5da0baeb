import { AIMessage, fakeModel, ToolMessage } from "langchain";

/** A tool call that a scripted model makes. */
export interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id?: string;
}

/** What an agent's model would decide to do. */
export const write = (file_path: string, content: string): Call => ({
  name: "write_file",
  args: { file_path, content },
});
export const edit = (file_path: string, old_string: string, new_string: string): Call => ({
  name: "edit_file",
  args: { file_path, old_string, new_string },
});
export const read = (file_path: string): Call => ({ name: "read_file", args: { file_path } });
export const ls = (path: string): Call => ({ name: "ls", args: { path } });

/**
 * A model that follows a script instead of thinking, so that the examples run without a key: each turn makes its calls
 * and then says "done". Any chat model takes its place.
 */
export function turns(...script: ReadonlyArray<readonly Call[]>): ReturnType<typeof fakeModel> {
  let model = fakeModel();
  let ids = 0;
  for (const calls of script) {
    model = model
      .respondWithTools(calls.map((call) => ({ ...call, id: `call-${++ids}` })))
      .respond(new AIMessage("done"));
  }
  return model;
}

/** What the tools answered last: those of the turn that has just ended. */
export function lastAnswers(messages: readonly unknown[]): string[] {
  const answers: string[] = [];
  for (const message of messages.toReversed()) {
    if (ToolMessage.isInstance(message)) answers.unshift(message.text);
    else if (answers.length > 0) break;
  }
  return answers;
}
