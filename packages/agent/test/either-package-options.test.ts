import { Command, MemorySaver } from "@langchain/langgraph";
import { SystemMessage } from "@langchain/core/messages";
import { createMiddleware, tool, toolStrategy } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { packages, scripted } from "./support/both-packages.js";
import { inThread, questions, results, say } from "./support/results.js";
import { ScriptedModel, task, write } from "./support/scripted-model.js";

// The options that test/either-package.test.ts leaves: those of a subagent, and what streams.
const mail = tool(({ to }: { to: string }) => `sent to ${to}`, {
  name: "mail",
  description: "Mails.",
  schema: z.object({ to: z.string() }),
});
const mailing = { name: "mail", args: { to: "ada" } };
describe.each(packages)("with $name", ({ createDeepAgent }) => {
  const worker = (model: ScriptedModel, more: object = {}) => ({
    name: "worker",
    description: "Works.",
    systemPrompt: "Work.",
    model,
    ...more,
  });
  const lead = () => scripted([task("worker")], "done");

  test("a subagent's interruptOn asks in the run of its parent", async () => {
    const agent = createDeepAgent({
      model: lead(),
      tools: [mail],
      subagents: [worker(scripted([mailing], "mailed"), { interruptOn: { mail: true } })],
      checkpointer: new MemorySaver(),
    });
    const [question, ...more] = questions(await agent.invoke(say("go"), inThread("1")));
    expect(question?.value.actionRequests).toMatchObject([mailing]);
    expect(more).toEqual([]);
    const resume = { decisions: [{ type: "approve" }] };
    const { messages } = await agent.invoke(new Command({ resume }), inThread("1"));
    expect(results(messages, "task")[0]?.text).toBe("mailed");
  });

  test("a subagent's responseFormat is its report, as JSON", async () => {
    const format = toolStrategy(z.object({ stars: z.number() }));
    const model: ScriptedModel = new ScriptedModel(() => {
      const name = /extract-\d+/.exec(JSON.stringify(model.bound.at(-1)))?.[0] ?? "";
      return [{ name, args: { stars: 9 } }];
    });
    const agent = createDeepAgent({
      model: lead(),
      subagents: [worker(model, { responseFormat: format })],
    });
    const { messages } = await agent.invoke(say("go"));
    expect(results(messages, "task")[0]?.text).toBe('{"stars":9}');
  });

  test("a subagent's skills, permissions, tools and middleware are its own", async () => {
    const middleware = createMiddleware({
      name: "own",
      wrapModelCall: (request, handler) =>
        handler({ ...request, systemMessage: request.systemMessage.concat("\n\nOWN") }),
    });
    const model = scripted([write("/secret/a.md", "x"), write("/b.md", "y")], "done");
    const agent = createDeepAgent({
      model: lead(),
      tools: [mail],
      subagents: [
        worker(model, {
          tools: [],
          skills: ["/skills/"],
          permissions: [{ operations: ["write"], paths: ["/secret/**"], mode: "deny" }],
          middleware: [middleware],
        }),
      ],
    });
    const times = { created_at: "2026-01-01T00:00:00Z", modified_at: "2026-01-01T00:00:00Z" };
    const content = "---\nname: pdf\ndescription: Reads PDF files.\n---\n";
    const { files } = await agent.invoke({
      ...say("go"),
      files: { "/skills/pdf/SKILL.md": { content, mimeType: "text/plain", ...times } },
    });
    expect(Object.keys(files ?? {}).toSorted()).toEqual(["/b.md", "/skills/pdf/SKILL.md"]);
    expect(model.prompt).toMatch(/Work\.[\s\S]*Reads PDF files\.[\s\S]*OWN/);
    expect(model.toolNames).not.toContain("mail");
    expect(model.toolNames).not.toContain("task");
  });

  test("a fork continues the conversation", async () => {
    const model = scripted("report");
    const agent = createDeepAgent({
      model: lead(),
      systemPrompt: new SystemMessage("You are Ada."),
      subagents: [worker(model, { mode: "fork" })],
    });
    await agent.invoke(say("a question"));
    expect(model.prompt).toContain("You are Ada.");
    expect(model.received[0]?.map(({ text }) => text)).toContain("a question");
  });

  test("streamTransformers project what streams, and subagents stream by name", async () => {
    const counting = () => {
      let events = 0;
      return {
        init: () => ({ count: () => events }),
        process: () => {
          events += 1;
          return true;
        },
      };
    };
    const agent = createDeepAgent({
      model: lead(),
      subagents: [worker(scripted("report"))],
      streamTransformers: [counting],
      checkpointer: new MemorySaver(),
    });
    const run = await agent.streamEvents(say("go"), { version: "v3", ...inThread("1") });
    const seen: string[] = [];
    for await (const subagent of run.subagents) seen.push(subagent.name);
    expect(seen).toEqual(["worker"]);
    expect((await run.output).messages.at(-1)?.text).toBe("done");
    expect(run.extensions.count()).toBeGreaterThan(0);
  });
});
