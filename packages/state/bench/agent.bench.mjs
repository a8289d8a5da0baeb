/**
 * Checkpoint bytes and times of whole agent turns over graph state: `createAgent` with the field of this package, and
 * `createDeepAgent` as it comes. Run after a build: `node packages/state/bench/agent.bench.mjs`.
 */
import { StateBackend, filesSchema } from "@fs/state";
import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { AIMessage, createAgent, createMiddleware, fakeModel, tool } from "langchain";
import { z } from "zod/v4";

const SIZES = [100, 1_000, 10_000];
const TEXT = "lorem ipsum dolor sit amet, consectetur\n".repeat(103).slice(0, 4096);

class CountingSaver extends MemorySaver {
  bytes = 0;

  constructor() {
    super();
    const dump = this.serde.dumpsTyped.bind(this.serde);
    this.serde.dumpsTyped = async (value) => {
      const dumped = await dump(value);
      this.bytes += dumped[1].length;
      return dumped;
    };
  }
}

function seed(count) {
  const now = new Date().toISOString();
  const file = { mimeType: "text/plain", created_at: now, modified_at: now };
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `/d${n % 100}/f${n}.md`,
      { content: `${n} ${TEXT}`, ...file },
    ]),
  );
}

function script(writes) {
  const model = fakeModel().respond(new AIMessage("ready"));
  for (let n = 0; n < writes; n++)
    model.respondWithTools([
      { name: "write_file", args: { file_path: `/new${n}.md`, content: TEXT }, id: `call${n}` },
    ]);
  return model.respond(new AIMessage("done"));
}

function ours(version) {
  return (writes, checkpointer) => {
    const backend = new StateBackend();
    const write = tool(
      async ({ file_path, content }) => JSON.stringify(await backend.write(file_path, content)),
      {
        name: "write_file",
        description: "Writes a file.",
        schema: z.object({ file_path: z.string(), content: z.string() }),
      },
    );
    const files = createMiddleware({ name: "files", stateSchema: filesSchema });
    return createAgent({
      model: script(writes),
      tools: [write],
      middleware: [files],
      checkpointer,
      version,
    });
  };
}

const agents = {
  "createAgent + @fs/state": ours("v2"),
  'the same, version: "v1", turns with files: {}': ours("v1"),
  createDeepAgent: (writes, checkpointer) =>
    createDeepAgent({ model: script(writes), checkpointer }),
};

for (const count of SIZES) {
  for (const [name, build] of Object.entries(agents)) {
    const results = [];
    for (const writes of [0, 1, 5]) {
      const saver = new CountingSaver();
      const agent = build(writes, saver);
      const thread = { configurable: { thread_id: "1" }, recursionLimit: 100 };
      const say = (content) => ({ messages: [{ role: "user", content }] });
      await agent.invoke({ ...say("seed"), files: seed(count) }, thread);
      saver.bytes = 0;
      const from = performance.now();
      // Without it, createAgent reads all files from the thread and hands them in as input again.
      const input = name.includes("files: {}") ? { ...say("go"), files: {} } : say("go");
      await agent.invoke(input, thread);
      results.push(
        `${writes} writes: ${(saver.bytes / 1e6).toFixed(2)} MB, ${(performance.now() - from).toFixed(0)} ms`,
      );
    }
    console.log(`${count} files, ${name}: ${results.join("; ")}`);
  }
}
