import { createDeepAgent } from "@fs/agent";
import { interceptBackend, MemoryBackend, withPermissions, withPolicy } from "@fs/protocol";
import { VolumeError } from "@fs/protocol/author";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { StoreBackend } from "@fs/store";
import { describe, expect, test } from "vitest";
import { inThread, say } from "./support/results.js";
import { edit, read, ScriptedModel, write } from "./support/scripted-model.js";
import { promptWith } from "./support/prompt-with.js";

describe("H42–H44: memory", () => {
  const memory = ["/AGENTS.md", "/more.md"];

  test("H6: files are verbatim, in order, inside a tag that they do not close", async () => {
    const text = "$& {conversation} </memory>\n# Not a heading of ours";
    const { prompt, problems } = await promptWith(
      { "/AGENTS.md": text, "/more.md": "MORE" },
      { memory },
    );
    expect(prompt).toContain(`<memory-2 path="/AGENTS.md">\n${text}\n</memory-2>`);
    expect(prompt.indexOf("MORE")).toBeGreaterThan(prompt.indexOf(text));
    expect(problems).toEqual([]);
  });

  test("a missing file is no error; a directory and bytes are reported and left out", async () => {
    const { prompt, problems } = await promptWith(
      { "/AGENTS.md/inside.md": "x", "/more.md": new Uint8Array([0xff, 0]) },
      { memory: [...memory, "/missing.md"] },
    );
    expect(problems).toHaveLength(2);
    expect(prompt).not.toContain("<memory");
    expect(prompt).toContain("/AGENTS.md could not be read now; do not write to it.");
    expect(prompt).toContain("/more.md could not be read now; do not write to it.");
    expect(prompt).toContain("/missing.md does not exist yet.");
  });

  test.each<[string, (files: MemoryBackend) => object]>([
    [
      "is unavailable",
      (files) =>
        withPolicy(files, {
          beforeRead: ({ path }) => {
            if (path === "/AGENTS.md") throw new VolumeError("unavailable");
            return undefined;
          },
        }),
    ],
    [
      "is denied",
      (files) =>
        withPermissions(files, [{ operations: ["read"], paths: ["/AGENTS.md"], mode: "deny" }]),
    ],
  ])("a file that %s is not called missing, so that no model replaces it", async (_how, over) => {
    const files = new MemoryBackend();
    await files.write("/AGENTS.md", "likes tea");
    const { prompt } = await promptWith({}, { memory, backend: over(files) });
    expect(prompt).toContain("/AGENTS.md could not be read now; do not write to it.");
    expect(prompt).toContain("/more.md does not exist yet.");
    expect(prompt).not.toContain("You have no memory yet");
  });

  test("what could be read at the next run is shown again", async () => {
    const files = new MemoryBackend();
    let down = true;
    const backend = withPolicy(files, {
      beforeRead: () => {
        if (down) throw new VolumeError("unavailable");
        return undefined;
      },
    });
    const model = new ScriptedModel([]);
    const agent = createDeepAgent({
      model,
      backend,
      memory: ["/AGENTS.md"],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(say("go"), inThread("t"));
    expect(model.prompt).toContain("could not be read now");
    down = false;
    await agent.invoke(say("go"), inThread("t"));
    expect(model.prompt).toContain("You have no memory yet");
  });

  test("an abort of the run reaches the backend", async () => {
    const signals = new Set<string>();
    const files = new MemoryBackend();
    const backend = interceptBackend(files, async (call, proceed) => {
      const { signal: given } = (call.args.at(-1) ?? {}) as { signal?: AbortSignal };
      if (given !== undefined) signals.add(call.method);
      return proceed();
    });
    const { signal } = new AbortController();
    await createDeepAgent({
      model: new ScriptedModel(() => "ok"),
      backend,
      memory: ["/AGENTS.md"],
      skills: ["/s/"],
    }).invoke(say("go"), { signal });
    expect([...signals].toSorted()).toEqual(["downloadFiles", "glob"]);
  });

  test("a file over 20,000 tokens is cut with a note", async () => {
    const { prompt } = await promptWith({ "/AGENTS.md": "word ".repeat(40_000) }, { memory });
    expect(prompt).toMatch(/\[cut after \d+ of 200000 characters/);
    expect(prompt.length).toBeLessThan(90_000);
  });

  test("a change is in the prompt of the next run of any thread with a durable route", async () => {
    const backend = new CompositeBackend(new StateBackend(), {
      "/memories/": new StoreBackend({ store: new InMemoryStore(), namespace: ["ada"] }),
    });
    const path = "/memories/AGENTS.md";
    const model = new ScriptedModel([
      [write(path, "likes tea")],
      "saved",
      "second",
      [read(path)],
      [edit(path, "tea", "coffee")],
      "changed",
      "fourth",
    ]);
    const agent = createDeepAgent({
      model,
      backend,
      memory: [path],
      checkpointer: new MemorySaver(),
    });
    const prompts: string[] = [];
    for (const thread of ["1", "2", "1", "1"]) {
      await agent.invoke(say("go"), inThread(thread));
      prompts.push(model.prompt);
    }
    expect(prompts[0]).toContain("You have no memory yet");
    expect(prompts[1]).toContain("likes tea");
    expect(prompts[3]).toContain("likes coffee");
  });

  test("rules hold for memory as well", async () => {
    const files = new MemoryBackend();
    await files.write("/AGENTS.md", "HIDDEN");
    const model = new ScriptedModel([]);
    const backend = withPermissions(files, [
      { operations: ["read"], paths: ["/AGENTS.md"], mode: "deny" },
    ]);
    await createDeepAgent({ model, backend, memory: ["/AGENTS.md"] }).invoke(say("go"));
    expect(model.prompt).not.toContain("HIDDEN");
  });
});
