// The agent beside deepagents and a plain createAgent, in one run; the page is what is printed:
//
//   node packages/agent/bench/agent.mjs [rounds] > docs/benchmarks/agent.md
//
// Needs a build (`tsc -b`). Counts are exact. CPU is measured in a process for each subject, one after the other in every round,
// and given as the median of the rounds' ratios with the least and the greatest.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import * as ours from "@fs/agent";
import * as theirs from "deepagents";
import { todoListMiddleware } from "langchain";
import { parallelEdits, skillCalls, storedByTwoSubagents, tokens } from "./counts.mjs";
import { importCosts } from "./imports.mjs";

const rounds = Number(process.argv[2] ?? 9);
const sides = [ours.createDeepAgent, theirs.createDeepAgent];
const TURNS = 40;

const both = async (measure) => {
  const found = [];
  for (const side of sides) found.push(await measure(side));
  return found;
};
const kept = async (count, asking) =>
  (await both((side) => parallelEdits(side, count, asking))).map(
    (one) => `${one.kept} of ${one.acknowledged}`,
  );
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const spread = (ratios) =>
  `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;

function turnsOf(which) {
  const program = join(import.meta.dirname, "turns.mjs");
  const printed = execFileSync(process.execPath, [program, which, String(TURNS)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(printed);
}

const versionOf = (name) => {
  const manifest = join(import.meta.dirname, "..", "node_modules", name, "package.json");
  return JSON.parse(readFileSync(manifest, "utf8")).version;
};
const load = () => loadavg()[0].toFixed(1);

const begun = load();
const turns = { plain: [], step: [], agent: [], deepagents: [] };
for (let round = 0; round < rounds; round++)
  for (const which of Object.keys(turns)) turns[which].push(turnsOf(which));
const relative = (which, when, to = "plain") =>
  spread(turns[which].map((one, round) => one[when] / turns[to][round][when]));
const growth = (which) => spread(turns[which].map(({ early, late }) => late / early));
const stored = (which) => turns[which][0];
const others = ["step", "agent", "deepagents"];
const imports = await importCosts(rounds);
const overLangchain = (which) =>
  spread(
    imports[which].map(
      (cpu, round) =>
        (cpu - imports.bare[round]) / (imports.langchain[round] - imports.bare[round]),
    ),
  );
const ended = load();

const withTodos = await tokens(ours.createDeepAgent);
const without = await tokens(ours.createDeepAgent, { todos: false });
const theirsWith = await tokens(theirs.createDeepAgent, { middleware: [todoListMiddleware()] });
const theirsWithout = await tokens(theirs.createDeepAgent);
const skills = await both((side) => skillCalls(side, 50));
const bytes = await both(storedByTwoSubagents);

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const [plain, step, agent, peer] = Object.keys(turns).map(stored);

console.log(`# The agent

\`node packages/agent/bench/agent.mjs > docs/benchmarks/agent.md\`, after \`tsc -b\`: \`createDeepAgent\` of \`@fs/agent\` beside that of \`deepagents\`, in one run, with a scripted model. Node ${process.versions.node}, deepagents ${versionOf("deepagents")}, langchain ${versionOf("langchain")}, @langchain/langgraph ${versionOf("@langchain/langgraph")}.

## Counts

The same on any machine; tests of \`packages/agent/test\` hold those of \`@fs/agent\`.

${table(
  ["what", "`@fs/agent`", "`deepagents`", "goal"],
  [
    [
      "tokens of prompt and schemas, with todos",
      withTodos,
      `${theirsWith} (with \`todoListMiddleware\`)`,
      "1,600",
    ],
    ["the same without todos", without, theirsWithout, ""],
    ["8 parallel subagents edit one file: kept of acknowledged", ...(await kept(8, false)), "all"],
    ["the same, every second one asks a human first", ...(await kept(8, true)), "all"],
    ["20 parallel subagents edit one file", ...(await kept(20, false)), "all"],
    ["the same, every second one asks a human first", ...(await kept(20, true)), "all"],
    [
      "stored by a turn with two subagents, 1,000 files of 4,000 bytes in the state",
      ...bytes.map(megabytes),
      "17 MB",
    ],
    ["calls of the backend for 50 skills", ...skills, "2"],
  ],
)}

Tokens are o200k's, of the system prompt and of the tools in OpenAI's form. What the turn with two subagents stores is four copies of the files:
\`createAgent\` gives each call of \`task\` the whole state, and LangGraph stores that with the step's writes and with its checkpoint.

## A turn of a thread, ${TURNS} turns old

A turn calls the model twice and one tool; no files are written. \`MemorySaver\`.

${table(
  ["what", "plain `createAgent`", "with an empty `beforeModel`", "`@fs/agent`", "`deepagents`"],
  [
    ["checkpoints stored", ...[plain, step, agent, peer].map((one) => one.stored)],
    ["checkpoints read", ...[plain, step, agent, peer].map((one) => one.loads)],
    ["KB stored", ...[plain, step, agent, peer].map((one) => Math.round(one.bytes / 1000))],
    [`CPU of turn ${TURNS}, of plain`, "1", ...others.map((which) => relative(which, "late"))],
    ["CPU of turn 5, of plain", "1", ...others.map((which) => relative(which, "early"))],
    [`CPU of turn ${TURNS}, of turn 5`, ...Object.keys(turns).map(growth)],
    [
      `CPU of turn ${TURNS}, of the empty \`beforeModel\``,
      "",
      "1",
      relative("agent", "late", "step"),
      relative("deepagents", "late", "step"),
    ],
  ],
)}

The goal was 1.3 times the plain agent's CPU. About half of what is beyond the plain agent is the step of the summary, which is checkpointed so that a model that fails after it, or a run that is
resumed, finds it done: ${agent.stored} checkpoints in a turn of two calls instead of ${plain.stored}, and \`MemorySaver\` serialises all messages of the thread for each, which is ${agent.stored}/${plain.stored} = ${(agent.stored / plain.stored).toFixed(1)} of the writing in a long
thread and no more at any age. With middleware, \`createAgent\` also reads the thread once more before a run. The agent with an empty hook and nothing else, measured beside it, has the same counts. The rest is the chain of middleware around each call.
The step cannot be left out until it is needed: \`createAgent\` runs the node of a \`beforeModel\` hook before each call, and a \`Command\` out of \`wrapModelCall\` cannot go back to it, because the
edges behind the model are taken beside its \`goto\` and end the run. \`summarization: false\` leaves it out. \`PostgresSaver\` stores a field only when it has changed: there a step in which nothing
was summarized is one small row.

## Import

CPU of a process that imports it, over a bare Node, relative to \`langchain\` alone: \`@fs/agent\` as it is packed ${overLangchain("agent")}, \`deepagents\` ${overLangchain("deepagents")}; the goal was 1.2.

CPU: median of ${rounds} rounds, least and greatest in parentheses; ${cpus().length} cores, load ${begun} at the beginning and ${ended} at the end.`);
