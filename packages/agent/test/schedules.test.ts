import { createDeepAgent } from "@fs/agent";
import type { BaseMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import fc from "fast-check";
import { expect, test } from "vitest";
import { inThread, questions, say, texts } from "./support/results.js";
import { edit, read, ScriptedModel, task, write, type Call } from "./support/scripted-model.js";

const FILES = ["/a.md", "/b.md"];

/** What a subagent does in one step: it replaces its line of a file, and perhaps must ask before. */
interface Step {
  readonly file: number;
  readonly asks: boolean;
}
type Schedule = readonly (readonly Step[])[];

const lineOf = (worker: number, step: number, word: string) => `${word} ${worker}-${step}.`;
const contentOf = (schedule: Schedule, file: number, word: (asked: boolean) => string): string =>
  schedule
    .flatMap((steps, worker) =>
      steps.map((step, at) => ({ line: lineOf(worker, at, word(step.asks)), file: step.file })),
    )
    .filter((one) => one.file === file)
    .map(({ line }) => `${line}\n`)
    .join("");

/** The agent of a schedule. All of its models are functions of what they are sent, so it can be built again after a restart. */
function scheduled(schedule: Schedule, checkpointer: MemorySaver) {
  const worker = (messages: readonly BaseMessage[]) => {
    const me = Number(messages.find((message) => message.getType() === "human")?.text);
    const done = messages.filter((message) => message.getType() === "tool").length;
    if (done === 0) return FILES.map(read);
    const at = done - FILES.length;
    const step = schedule[me]?.[at];
    if (step === undefined) return `report ${me}`;
    const change = edit(FILES[step.file] ?? "", lineOf(me, at, "todo"), lineOf(me, at, "done"));
    // `multi_edit` is the tool that asks, so that one subagent has steps of both kinds.
    const { file_path, ...one } = change.args;
    return [step.asks ? { name: "multi_edit", args: { file_path, edits: [one] } } : change];
  };
  const lead = (messages: readonly BaseMessage[]): readonly Call[] | string => {
    const done = messages.filter((message) => message.getType() === "tool").length;
    if (done === 0)
      return FILES.map((path, file) => write(path, `${contentOf(schedule, file, () => "todo")}\n`));
    if (done === FILES.length)
      return schedule.map((_, me) => task("worker", String(me), `task-${me}`));
    return "finished";
  };
  return createDeepAgent({
    model: new ScriptedModel(lead),
    checkpointer,
    subagents: [
      {
        name: "worker",
        description: "Changes lines.",
        model: new ScriptedModel(worker),
        interruptOn: { multi_edit: true },
      },
    ],
  });
}

const steps = fc.array(
  fc.record({ file: fc.integer({ min: 0, max: FILES.length - 1 }), asks: fc.boolean() }),
  { minLength: 1, maxLength: 3 },
);
/** For each answer: which of the open questions are answered, and how. At least one is. */
const answer = fc.record({ take: fc.integer({ min: 1, max: 4 }), turn: fc.nat(3) });

test("H12, H13: of parallel subagents with questions in between, every acknowledged edit is there once, whatever the order of answers", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 2, maxLength: 4 }),
      fc.array(answer, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (schedule, answers, approve) => {
        const checkpointer = new MemorySaver();
        const build = () => scheduled(schedule, checkpointer);
        let result: unknown = await build().invoke(say("go"), inThread("1"));
        let asked = 0;
        for (let open = questions(result); open.length > 0; open = questions(result)) {
          const { take, turn } = answers[asked % answers.length] ?? { take: 1, turn: 0 };
          const chosen = [...open.slice(turn % open.length), ...open].slice(
            0,
            Math.min(take, open.length),
          );
          asked += chosen.length;
          const decision = approve ? { type: "approve" } : { type: "reject", message: "no" };
          const resume = Object.fromEntries(
            chosen.map(({ id }) => [id, { decisions: [decision] }]),
          );
          result = await build().invoke(new Command({ resume }), inThread("1"));
        }
        const { files } = result as { files: Record<string, { content?: unknown }> };
        // The model: a step is done unless a human refused it, and each question is asked once.
        const word = (mustAsk: boolean) => (mustAsk && !approve ? "todo" : "done");
        const expected = FILES.map((path, file) => [path, `${contentOf(schedule, file, word)}\n`]);
        expect(texts(files)).toEqual(Object.fromEntries(expected));
        expect(asked).toBe(schedule.flat().filter(({ asks }) => asks).length);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});
