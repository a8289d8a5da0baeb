/**
 * A help desk, written for `deepagents` in the style of its 1.8: factories, a virtual directory, a store, skills, memory, a subagent,
 * and a call that waits for a person. `help-desk-migrated.ts` beside it is what docs/migrating-from-deepagents.md makes of it.
 *
 *     node examples/dist/help-desk-deepagents.js
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Command,
  InMemoryStore,
  INTERRUPT,
  isInterrupted,
  MemorySaver,
} from "@langchain/langgraph";
import {
  CompositeBackend,
  createDeepAgent,
  FilesystemBackend,
  StateBackend,
  StoreBackend,
} from "deepagents";
import { AIMessage, type BaseMessage, FakeToolCallingModel, tool } from "langchain";
import { z } from "zod";

const MEMORY = "/memories/AGENTS.md";
const SKILLS = "/project/skills/";
const ANSWER = "/project/answers/otters.md";

// What is on disk before the desk opens.
const directory = await mkdtemp(join(tmpdir(), "help-desk-"));
const seed: Record<string, string> = {
  "faq.md": "# Questions\n\n- Opening hours: 9 to 17\n- Tickets: at the door\n",
  "animals/otters.md": "# Otters\n\nThey hold hands when they sleep.\n",
  "animals/bears.md": "# Bears\n\nThey sleep all winter.\n",
  "skills/polite/SKILL.md":
    "---\nname: polite\ndescription: How to write to visitors.\n---\n\nSay hello, and sign with the team's name.\n",
};
for (const [path, text] of Object.entries(seed)) {
  await mkdir(join(directory, path, ".."), { recursive: true });
  await writeFile(join(directory, path), text);
}

// What the desk can do beside working on files.
const sent: string[] = [];
const send = tool(
  ({ to, subject }: { to: string; subject: string }) => {
    sent.push(`${subject} to ${to}`);
    return `Sent to ${to}.`;
  },
  {
    name: "send",
    description: "Sends a mail to a visitor.",
    schema: z.object({ to: z.string(), subject: z.string() }),
  },
);
const hours = tool(() => "Open from 9 to 17.", {
  name: "hours",
  description: "Says when the zoo is open.",
  schema: z.object({}),
});

// Models that follow a script, so that the program needs no key: in each turn they make these calls.
interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly id: string;
}
let calls = 0;
const call = (name: string, args: Record<string, unknown>): Call => ({
  name,
  args,
  id: `call-${++calls}`,
});
const script = (...turns: Call[][]) => new FakeToolCallingModel({ toolCalls: turns });

const question = call("grep", { pattern: "hold hands", path: "/project" });
const desk = script(
  [
    call("write_file", { file_path: "/plan.md", content: "- look it up\n- answer\n" }),
    call("read_file", { file_path: "/project/animals/otters.md" }),
    question,
  ],
  [
    call("task", {
      subagent_type: "writer",
      description: `Write the answer about otters to ${ANSWER}.`,
    }),
  ],
  [
    call("edit_file", {
      file_path: ANSWER,
      old_string: "Dear visitor",
      new_string: "Dear Ada",
    }),
    call("write_file", { file_path: MEMORY, content: "Ada likes otters.\n" }),
    call("hours", {}),
  ],
  [call("send", { to: "ada@example.org", subject: "Otters" })],
  [],
);
const writer = script(
  [
    call("write_file", {
      file_path: ANSWER,
      content: "Dear visitor,\n\notters hold hands when they sleep.\n\nThe team\n",
    }),
  ],
  [],
);

// Drafts are the thread's, memories stay, and the project is a directory.
const store = new InMemoryStore();
const agentWith = (model: FakeToolCallingModel) =>
  createDeepAgent({
    model,
    tools: [send, hours],
    systemPrompt: "You answer visitors of a zoo.",
    backend: (runtime) =>
      new CompositeBackend(new StateBackend(runtime), {
        "/memories/": new StoreBackend(runtime),
        "/project/": new FilesystemBackend({ rootDir: directory, virtualMode: true }),
      }),
    store,
    checkpointer: new MemorySaver(),
    memory: [MEMORY],
    skills: [SKILLS],
    interruptOn: { send: true },
    subagents: [
      {
        name: "writer",
        description: "Writes answers.",
        systemPrompt: "You write to visitors.",
        model: writer,
      },
    ],
  });

const thread = (thread_id: string) => ({ configurable: { thread_id } });
const say = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const resultOf = (messages: readonly BaseMessage[], id: string): string =>
  messages.find((message) => "tool_call_id" in message && message.tool_call_id === id)?.text ?? "";

// The first visitor.
const agent = agentWith(desk);
const waiting = await agent.invoke(say("What do otters do at night?"), thread("ada"));
if (!isInterrupted(waiting)) throw new Error("Nothing waits for a person.");
console.log(`waits: ${waiting[INTERRUPT].length} question, ${sent.length} sent`);
const answered = await agent.invoke(
  new Command({ resume: { decisions: [{ type: "approve" }] } }),
  thread("ada"),
);
console.log(`sent: ${sent.join(", ")}`);
console.log(`found: ${resultOf(answered.messages, question.id).includes("otters.md")}`);
console.log(`in the thread: ${Object.keys(answered.files ?? {}).join(" ")}`);
console.log(
  `on disk: ${JSON.stringify(await readFile(join(directory, "answers/otters.md"), "utf8"))}`,
);
console.log(`last: ${answered.messages.at(-1) instanceof AIMessage}`);

// The second one, in another thread: drafts are gone, memories are not.
const again = call("read_file", { file_path: MEMORY });
const plan = call("read_file", { file_path: "/plan.md" });
const later = await agentWith(script([again, plan], [])).invoke(say("Hello again"), thread("bob"));
console.log(`remembers: ${resultOf(later.messages, again.id).includes("Ada likes otters.")}`);
console.log(`has the plan: ${resultOf(later.messages, plan.id).includes("look it up")}`);

// The same files without an agent, for a page that lists what was answered.
const project = new FilesystemBackend({ rootDir: directory, virtualMode: true });
const markdown = await project.glob("**/*.md", "/");
console.log(
  `pages: ${(markdown.files ?? [])
    .map(({ path }) => path)
    .toSorted()
    .join(" ")}`,
);
const asleep = await project.grep("sleep", "/animals");
console.log(`asleep: ${(asleep.matches ?? []).map(({ line }) => line).join(" ")}`);
const faq = await project.edit("/faq.md", "9 to 17", "9 to 18");
console.log(`edited: ${faq.occurrences} place`);
const twice = await project.write("/faq.md", "# Nothing\n");
console.log(`replaced: ${twice.error === undefined}`);
const missing = await project.read("/gone.md");
console.log(`missing: ${missing.error !== undefined}`);
const listed = await project.ls("/");
console.log(
  `listed: ${(listed.files ?? [])
    .map(({ path }) => path)
    .toSorted()
    .join(" ")}`,
);
await rm(directory, { recursive: true });
