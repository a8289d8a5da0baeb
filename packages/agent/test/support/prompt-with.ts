import { createDeepAgent } from "@fs/agent";
import { MemoryBackend } from "@fs/protocol";
import { say } from "./results.js";
import { ScriptedModel } from "./scripted-model.js";

/** Runs an agent on these files once, and gives its system prompt and what it reported. */
export async function promptWith(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: object,
): Promise<{ prompt: string; problems: string[]; backend: MemoryBackend }> {
  const backend = new MemoryBackend();
  await backend.uploadFiles(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    ]),
  );
  const model = new ScriptedModel([]);
  const problems: string[] = [];
  const onError = (error: unknown) => problems.push(error instanceof Error ? error.message : "?");
  await createDeepAgent({ model, backend, onError, ...options }).invoke(say("go"));
  return { prompt: model.prompt, problems, backend };
}
