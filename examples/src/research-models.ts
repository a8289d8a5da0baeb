/** The decisions of the research agent's models, so that it runs without a key. Chat models take their place. */
import { AIMessage, fakeModel } from "langchain";
import { type Call, edit, read, write } from "./scripted-model.js";

/** What the two researchers fill in. */
export const SHARED = "/notes/shared.md";
/** Where the agent keeps what it learns of its user. */
export const MEMORY = "/memories/AGENTS.md";
/** The call whose result is too large to stay in the conversation. */
export const ARCHIVE_CALL = "archive";

/** A model that says these things in order: texts, or calls of tools. */
function saying(...replies: ReadonlyArray<string | readonly Call[]>) {
  let model = fakeModel();
  for (const [step, reply] of replies.entries())
    model = model.respond(
      typeof reply === "string"
        ? new AIMessage(reply)
        : new AIMessage({
            content: "",
            tool_calls: reply.map(({ name, args, id }, at) => ({
              type: "tool_call" as const,
              id: id ?? `${name}-${step}-${at}`,
              name,
              args,
            })),
          }),
    );
  return model;
}

const todos = (...statuses: readonly string[]): Call => ({
  name: "write_todos",
  args: {
    todos: ["Research tea and coffee", "Search the archive", "Publish a report"].map(
      (content, at) => ({ content, status: statuses[at] }),
    ),
  },
});
const task = (subagent_type: string, description: string): Call => ({
  name: "task",
  args: { subagent_type, description },
});

/** The main agent: plans, delegates, searches, writes, asks for leave to publish, and remembers. */
export const lead = () =>
  saying(
    [todos("in_progress", "pending", "pending"), write(SHARED, "Tea: ?\nCoffee: ?\n")],
    [task("tea-researcher", "Research tea."), task("coffee-researcher", "Research coffee.")],
    [todos("completed", "in_progress", "pending")],
    [{ name: "search_archive", args: { query: "caffeine" }, id: ARCHIVE_CALL }],
    [{ name: "grep", args: { pattern: "entry 1998", path: "/large_tool_results" } }],
    [write("/report.md", "Tea: 40 mg of caffeine. Coffee: 95 mg of caffeine.\n")],
    [{ name: "publish", args: { path: "/report.md" } }],
    [write(MEMORY, "Reports: as a list, please.\n"), todos("completed", "completed", "completed")],
    "The report is published.",
  );

/** A researcher: keeps notes of its own, and fills in its line of the shared file. */
export const researcher = (drink: "Tea" | "Coffee", milligrams: number) =>
  saying(
    [write(`/notes/${drink.toLowerCase()}.md`, `One cup: ${milligrams} mg.\n`), read(SHARED)],
    [edit(SHARED, `${drink}: ?`, `${drink}: ${milligrams} mg`)],
    `${drink} has ${milligrams} mg of caffeine.`,
  );

/** Writes the summaries. */
export const summarizer = () =>
  fakeModel()
    .respond(new AIMessage("The user wants a report on caffeine. Both drinks are researched."))
    .respond(new AIMessage("The user wants a report on caffeine. The archive was searched too."))
    .respond(new AIMessage("The user wants a report on caffeine. It is written."));

/** Answers how reports should be from the memory in its prompt. */
export const rememberer = () =>
  fakeModel().respond((messages) => {
    const wish = /^Reports: (.*)$/m.exec(messages[0]?.text ?? "")?.[1];
    return new AIMessage(wish ?? "I do not know yet.");
  });
