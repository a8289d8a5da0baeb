import type { Answer, Intent } from "./journal.js";
import type { FindingKind, Findings } from "./findings.js";
import { END } from "./recorded-calls.js";
import { tokenOf } from "./token-text.js";

type Verdict = Answer["verdict"];

/** What the processes did to the paths that they share: lines of logs, and paths that one of them wins. */
export class SharedFiles {
  readonly #lines = new Map<string, Map<string, Verdict>>();
  readonly #racers = new Map<string, Map<string, Verdict>>();
  readonly #findings: Findings;
  readonly #where: string;

  constructor(findings: Findings, where: string) {
    this.#findings = findings;
    this.#where = where;
  }

  follow(intent: Intent, { verdict }: Answer): void {
    if (intent.op === "append") note(this.#lines, intent.path, intent.token, verdict);
    if (intent.op === "race") note(this.#racers, intent.path, intent.token, verdict);
  }

  audit(stored: ReadonlyMap<string, string>): void {
    for (const [path, tokens] of this.#lines) this.#auditLog(path, tokens, stored.get(path) ?? "");
    for (const [path, tokens] of this.#racers) this.#auditRace(path, tokens, stored.get(path));
  }

  #auditLog(path: string, tokens: ReadonlyMap<string, Verdict>, text: string): void {
    const counts = new Map<string, number>();
    const lines = text.split("\n");
    const end = lines.pop();
    if (text !== "" && end !== END) this.#add("untrue", `${path} ends with ${end}`);
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    for (const [token, verdict] of tokens) {
      const count = counts.get(token) ?? 0;
      if (count > 1) this.#add("doubled", `${token} is ${count} times in ${path}`);
      if (count === 0 && verdict === "done") this.#add("lost", `${token} is not in ${path}`);
      if (count > 0 && verdict === "refused")
        this.#add("untrue", `${token} is in ${path}, and was refused`);
      counts.delete(token);
    }
    for (const line of counts.keys()) this.#add("untrue", `${path} holds a foreign line ${line}`);
  }

  #auditRace(path: string, tokens: ReadonlyMap<string, Verdict>, text: string | undefined): void {
    const winners = [...tokens].filter(([, verdict]) => verdict === "done").map(([token]) => token);
    const held = text === undefined ? undefined : tokenOf(text);
    if (winners.length > 1) this.#add("doubled", `${path} was created by ${winners.join(" and ")}`);
    const [winner] = winners;
    if (winner !== undefined && held !== winner)
      this.#add("lost", `${path} holds ${held ?? "nothing"}, and ${winner} was acknowledged`);
    if (winner === undefined && held !== undefined && tokens.get(held) !== "unknown")
      this.#add("untrue", `${path} holds ${held}, which was refused or never written`);
  }

  #add(kind: FindingKind, what: string): void {
    this.#findings[kind].push(`${this.#where} ${what}`);
  }
}

function note(
  of: Map<string, Map<string, Verdict>>,
  path: string,
  token: string,
  verdict: Verdict,
): void {
  const tokens = of.get(path) ?? new Map<string, Verdict>();
  of.set(path, tokens.set(token, verdict));
}
