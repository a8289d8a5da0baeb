import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { BatteryResult } from "./battery.js";
import type { Claim } from "./check-run.js";
import { escaped } from "./markup.js";
import type { RaceResult } from "./race.js";
import { argumentsOf } from "./transcript.js";

/** Everything that the report shows. */
export interface Report {
  readonly driver: string;
  readonly messages: readonly BaseMessage[];
  readonly race: readonly RaceResult[];
  readonly battery: readonly BatteryResult[];
  readonly claims: readonly Claim[];
  /** The final tree: paths by mount. */
  readonly tree: ReadonlyMap<string, readonly string[]>;
}

/** Lines of a mount that the final tree shows. */
const MOST_PATHS = 400;
const STYLE = `:root{color-scheme:light dark;--ink:#1f2421;--soft:#5a625d;--line:#e5e5df;--paper:#fdfdfc;--code:#f6f6f3;--good:#0f766e;--bad:#b4372a}
@media (prefers-color-scheme:dark){:root{--ink:#e7eae8;--soft:#a3ada8;--line:#2a3034;--paper:#14181a;--code:#1b2023;--good:#5eead4;--bad:#f2a49a}}
body{font:16px/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:52rem;margin:0 auto;padding:3rem 1.25rem 6rem}
h1{font-size:2rem;letter-spacing:-.02em;line-height:1.2}h2{font-size:1.25rem;margin:3rem 0 1rem}p.soft{color:var(--soft)}
table{border-collapse:collapse;width:100%;font-size:.9rem}td,th{text-align:left;padding:.45rem 1rem .45rem 0;border-top:1px solid var(--line);vertical-align:top}
thead th{border-top:0;color:var(--soft);font-weight:600}code,pre{font:.85rem/1.5 ui-monospace,Menlo,Consolas,monospace}
pre{background:var(--code);border:1px solid var(--line);border-radius:8px;padding:.9rem;overflow-x:auto;max-height:26rem}
details{border-top:1px solid var(--line);padding:.4rem 0}summary{cursor:pointer}summary:focus-visible{outline:2px solid var(--good);outline-offset:2px}
.good{color:var(--good)}.bad{color:var(--bad)}.say{margin:1.75rem 0 .5rem;font-weight:600}`;

/** One page that needs nothing else: the claims, the proofs, the whole transcript, and what each mount holds in the end. */
export function htmlReport(report: Report): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>fs demo</title><style>${STYLE}</style></head><body>
<h1>An agent on three stores under one tree</h1>
<p class="soft">Driven by ${escaped(report.driver)}.</p>
<h2>Checked</h2>
${table(
  [],
  report.claims.map(({ what, held }) => [mark(held), escaped(what)]),
)}
<h2>20 edits of one file at the same moment</h2>
${table(
  ["", "acknowledged", "in the file"],
  report.race.map(({ name, acknowledged, kept }) => [
    escaped(name),
    String(acknowledged),
    verdict(kept === acknowledged, String(kept)),
  ]),
)}
<h2>The same calls on three mounts</h2>
${battery(report.battery)}
<h2>Transcript</h2>
${transcript(report.messages)}
<h2>Final tree</h2>
${[...report.tree].map(([mount, paths]) => tree(mount, paths)).join("\n")}
</body></html>
`;
}

function transcript(messages: readonly BaseMessage[]): string {
  return messages
    .map((message) => {
      if (AIMessage.isInstance(message)) return `<p class="say">${escaped(message.text)}</p>`;
      if (!ToolMessage.isInstance(message)) return "";
      const args = JSON.stringify(argumentsOf(message, messages));
      return `<details><summary>${mark(message.status !== "error")} <code>${escaped(`${message.name ?? "tool"} ${args}`)}</code></summary><pre>${escaped(message.text)}</pre></details>`;
    })
    .join("\n");
}

function battery(results: readonly BatteryResult[]): string {
  const [first] = results;
  const rows = (first?.answers ?? []).map(({ call, answer }, index) => {
    const alike = results.every(({ answers }) => answers[index]?.answer === answer);
    return [
      escaped(call),
      verdict(alike, alike ? "alike" : "differs"),
      `<code>${escaped(answer)}</code>`,
    ];
  });
  return `<p class="soft">${escaped(results.map(({ place }) => place).join(", "))}.</p>${table(["call", "", "answer"], rows)}`;
}

function tree(mount: string, paths: readonly string[]): string {
  const more = paths.length > MOST_PATHS ? `\n… ${paths.length - MOST_PATHS} more` : "";
  const text = paths.slice(0, MOST_PATHS).join("\n") + more;
  return `<details${paths.length < 20 ? " open" : ""}><summary><code>${escaped(mount)}</code>, ${paths.length} files</summary><pre>${escaped(text)}</pre></details>`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const header =
    head.length === 0
      ? ""
      : `<thead><tr>${head.map((cell) => `<th>${cell}</th>`).join("")}</tr></thead>`;
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
  return `<table>${header}<tbody>${body.join("")}</tbody></table>`;
}

function mark(good: boolean): string {
  return verdict(good, good ? "✓" : "✗");
}

function verdict(good: boolean, text: string): string {
  return `<span class="${good ? "good" : "bad"}">${text}</span>`;
}
