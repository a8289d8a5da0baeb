import { MemoryBackend } from "@fs/protocol";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { Command, INTERRUPT, MemorySaver } from "@langchain/langgraph";
import { encodingForModel } from "js-tiktoken";
import { CountingSaver } from "./counting-saver.mjs";
import { answered, say, ScriptedModel } from "./scripted-model.mjs";

const THREAD = { configurable: { thread_id: "1" } };
const FILE = "/shared.md";
const call = (name, args) => ({ name, args });
const task = (subagent_type, description) => call("task", { subagent_type, description });
const write = (file_path, content) => call("write_file", { file_path, content });

/** Tokens (o200k) of the prompt and of the tools' schemas that a model is sent. */
export async function tokens(createDeepAgent, options = {}) {
  const model = new ScriptedModel(() => "done");
  await createDeepAgent({ model, ...options }).invoke(say("go"));
  const encoding = encodingForModel("gpt-4o");
  const texts = model.offered.map((one) => JSON.stringify(convertToOpenAITool(one)));
  return [model.prompt, ...texts].reduce((sum, text) => sum + encoding.encode(text).length, 0);
}

/**
 * So many subagents edit one line each of one file at once; with `asking`, every second one must be allowed to. How many edits
 * were acknowledged, and how many are there.
 */
export async function parallelEdits(createDeepAgent, count, asking) {
  const lines = Array.from({ length: count }, (_, at) => `line ${at}.\n`).join("");
  let acknowledged = 0;
  const worker = new ScriptedModel((messages) => {
    const me = messages.find((message) => message.getType() === "human").text;
    const done = answered(messages);
    if (done === 0) return [call("read_file", { file_path: FILE })];
    if (done === 1)
      return [
        call("edit_file", {
          file_path: FILE,
          old_string: `line ${me}.`,
          new_string: `done ${me}.`,
        }),
      ];
    const { status, text } = messages.at(-1);
    if (status !== "error" && !text.startsWith("Error")) acknowledged++;
    return "done";
  });
  const lead = new ScriptedModel((messages) => {
    const done = answered(messages);
    if (done === 0) return [write(FILE, lines)];
    if (done > 1) return "done";
    return Array.from({ length: count }, (_, at) =>
      task(asking && at % 2 === 0 ? "asking" : "worker", String(at)),
    );
  });
  const sub = { description: "Edits.", systemPrompt: "Edit.", model: worker };
  const agent = createDeepAgent({
    model: lead,
    checkpointer: new MemorySaver(),
    subagents: [
      { ...sub, name: "worker" },
      { ...sub, name: "asking", interruptOn: { edit_file: true } },
    ],
  });
  let result = await agent.invoke(say("go"), THREAD);
  while (result[INTERRUPT]?.length > 0) {
    const allowed = { decisions: [{ type: "approve" }] };
    const resume = Object.fromEntries(result[INTERRUPT].map(({ id }) => [id, allowed]));
    result = await agent.invoke(new Command({ resume }), THREAD);
  }
  const content = [result.files[FILE].content].flat().join("\n");
  return { acknowledged, kept: content.match(/done \d+\./g)?.length ?? 0 };
}

/** What a turn stores in which two subagents write one file each, in a thread with 1,000 files of 4,000 bytes. */
export async function storedByTwoSubagents(createDeepAgent) {
  const now = "2026-01-01T00:00:00.000Z";
  const times = { created_at: now, modified_at: now };
  const text = "lorem ipsum dolor sit amet, consectetur ".repeat(100);
  const file = { content: text, mimeType: "text/plain", ...times };
  const files = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [`/d${at % 100}/f${at}.md`, file]),
  );
  const worker = new ScriptedModel((messages) =>
    answered(messages) > 0 ? "done" : [write(`/new-${messages.at(-1).text}.md`, text)],
  );
  const lead = new ScriptedModel((messages) =>
    messages.at(-1).text === "go" ? [task("worker", "a"), task("worker", "b")] : "done",
  );
  const checkpointer = new CountingSaver();
  const agent = createDeepAgent({
    model: lead,
    checkpointer,
    subagents: [{ name: "worker", description: "Writes.", systemPrompt: "Write.", model: worker }],
  });
  await agent.invoke({ ...say("seed"), files }, THREAD);
  checkpointer.take();
  const { files: after } = await agent.invoke(say("go"), THREAD);
  if (Object.keys(after).length !== 1002) throw new Error("The subagents' files are not there.");
  return checkpointer.take().bytes;
}

/** What each of so many turns of one thread stores and reads; a turn calls the model twice and one tool. */
export async function turnCounts(createDeepAgent, turns) {
  const checkpointer = new CountingSaver();
  const model = new ScriptedModel((messages) =>
    messages.at(-1).getType() === "human" ? [call("ls", { path: "/" })] : "done",
  );
  const agent = createDeepAgent({ model, checkpointer });
  const counts = [];
  for (let turn = 0; turn < turns; turn++) {
    checkpointer.take();
    await agent.invoke(say(`turn ${turn}`), THREAD);
    counts.push(checkpointer.take());
  }
  return counts;
}

/** How often a backend with so many skills is called for a run. */
export async function skillCalls(createDeepAgent, count) {
  const files = new MemoryBackend();
  for (let at = 0; at < count; at++)
    await files.write(
      `/skills/s${at}/SKILL.md`,
      `---\nname: s${at}\ndescription: Does things.\n---\n`,
    );
  let calls = 0;
  const backend = new Proxy(files, {
    get(target, key) {
      const value = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...given) => {
        calls++;
        return Reflect.apply(value, target, given);
      };
    },
  });
  const model = new ScriptedModel(() => "done");
  await createDeepAgent({ model, backend, skills: ["/skills/"] }).invoke(say("go"));
  if (!model.prompt.includes(`s${count - 1}`)) throw new Error("The skills are not in the prompt.");
  return calls;
}
