/**
 * An agent that plans, sends two researchers out at once, keeps large results in files, is summarized, asks before it publishes,
 * and remembers what its user likes: in another thread, and in another process.
 *
 *     node examples/dist/research-agent.js
 *     node examples/dist/research-agent.js DIRECTORY    only asks what the memory in DIRECTORY says
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createDeepAgent } from "@fs/agent";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { Command, INTERRUPT, isInterrupted, MemorySaver } from "@langchain/langgraph";
import { type HITLRequest, tool, ToolMessage } from "langchain";
import { z } from "zod";
import {
  ARCHIVE_CALL,
  lead,
  MEMORY,
  rememberer,
  researcher,
  SHARED,
  summarizer,
} from "./research-models.js";

const archive = tool(
  ({ query }: { query: string }) =>
    Array.from({ length: 6000 }, (_, at) => `entry ${at}: a source on ${query}`).join("\n"),
  {
    name: "search_archive",
    description: "Searches an archive of sources.",
    schema: z.object({ query: z.string() }),
  },
);
const publish = tool(({ path }: { path: string }) => `Published ${path}.`, {
  name: "publish",
  description: "Publishes a report.",
  schema: z.object({ path: z.string() }),
});

/** Notes, history and large results are in the thread; what is under /memories/ is on disk. */
function agentFor(directory: string, model: ReturnType<typeof lead>) {
  return createDeepAgent({
    model,
    tools: [archive, publish],
    systemPrompt: "You are a researcher.",
    backend: new CompositeBackend(new StateBackend(), {
      "/memories/": new FilesystemBackend({ rootDir: directory }),
    }),
    checkpointer: new MemorySaver(),
    memory: [MEMORY],
    interruptOn: { publish: true },
    subagents: [
      { name: "tea-researcher", description: "Knows tea.", model: researcher("Tea", 40) },
      { name: "coffee-researcher", description: "Knows coffee.", model: researcher("Coffee", 95) },
    ],
    summarization: {
      model: summarizer(),
      trigger: { type: "messages", value: 10 },
      keep: { type: "messages", value: 3 },
    },
  });
}

const say = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const thread = (thread_id: string) => ({ configurable: { thread_id } });

/** The whole work, in one thread. */
async function research(directory: string): Promise<void> {
  const agent = agentFor(directory, lead());
  const asked: unknown = await agent.invoke(
    say("Compare tea and coffee. Reports as a list."),
    thread("1"),
  );
  if (!isInterrupted<HITLRequest>(asked))
    throw new Error("The agent did not ask before it published.");
  const [question] = asked[INTERRUPT];
  for (const { name, args } of question?.value?.actionRequests ?? [])
    console.log(`asks: ${name} ${JSON.stringify(args)}`);
  const resume = { [question?.id ?? ""]: { decisions: [{ type: "approve" }] } };
  const { messages, files, todos } = await agent.invoke(new Command({ resume }), thread("1"));

  for (const { content, status } of todos) console.log(`plan: ${content} (${status})`);
  const reports = messages.filter((message) => ToolMessage.isInstance(message));
  for (const { name, text, tool_call_id } of reports) {
    if (name === "task" || name === "publish") console.log(`${name}: ${text}`);
    if (tool_call_id === ARCHIVE_CALL)
      console.log(`search_archive: ${text.length < 10_000 ? "saved in a file" : "whole"}`);
  }
  const history = String(files["/conversation_history/1/main.md"]?.content);
  const summaries = history.match(/^<!-- end of section/gm)?.length;
  console.log(`summarized: ${summaries} times, after ${messages.length} messages`);
  console.log(`shared: ${JSON.stringify(files[SHARED]?.content)}`);
  console.log(`in the thread: ${Object.keys(files).toSorted().join(" ")}`);
  console.log(`on disk: ${JSON.stringify(await readFile(join(directory, "AGENTS.md"), "utf8"))}`);
}

/** One question, answered from memory. */
async function remembered(directory: string, where: string): Promise<void> {
  const { messages } = await agentFor(directory, rememberer()).invoke(
    say("How do I like reports?"),
    thread("2"),
  );
  console.log(`${where}: ${messages.at(-1)?.text}`);
}

const [, program = fileURLToPath(import.meta.url), given] = process.argv;
if (given === undefined) {
  const directory = await mkdtemp(join(tmpdir(), "research-"));
  try {
    await research(directory);
    await remembered(directory, "another thread");
    const { stdout } = await promisify(execFile)(process.execPath, [program, directory]);
    console.log(stdout.trimEnd());
  } finally {
    await rm(directory, { recursive: true });
  }
} else await remembered(given, "another process");
