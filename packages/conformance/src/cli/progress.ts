import { groupOf } from "../cases/case.js";
import { causeKey } from "../report/causes.js";
import { BAD_STATUSES, type CaseOutcome } from "../report/report.js";
import type { Listener } from "./supervisor.js";

/** A place to print to: `process.stderr`, or what a test reads. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Cases between two lines where a line cannot be rewritten. */
const EVERY = 50;
const CLEAR_LINE = "\r\u001B[K";

/** Live progress: failures as they happen; one line that is rewritten on a terminal, a line now and then elsewhere. */
export class Progress implements Listener {
  readonly #screen: Screen;
  readonly #terminal: boolean;
  #cases = 0;
  #done = 0;
  #bad = 0;
  #line = "";
  #announced = false;
  readonly #causes = new Map<string, string>();

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#terminal = screen.isTTY === true;
  }

  loaded(name: string, cases: number): void {
    this.#cases = cases;
    if (this.#announced) return;
    this.#announced = true;
    this.#print(`Conformance of ${name}: ${cases} case${cases === 1 ? "" : "s"}\n`);
  }

  began(id: string): void {
    this.#rewrite(id);
  }

  outcome(outcome: CaseOutcome): void {
    this.#done++;
    const { id, status, reason, text } = outcome;
    if (BAD_STATUSES.has(status)) {
      this.#bad++;
      const key = causeKey(outcome);
      const first = this.#causes.get(key);
      this.#causes.set(key, first ?? id);
      // What fails for the same reason a second time needs no second page.
      if (first !== undefined) this.#print(`${status.toUpperCase()} ${id}: as ${first}\n`);
      else this.#print(`\n${status.toUpperCase()} ${text ?? `${id}: ${reason ?? ""}`}\n\n`);
    } else if (status === "inconclusive") this.#print(`INCONCLUSIVE ${id}: ${reason ?? ""}\n`);
    if (this.#terminal) this.#rewrite(id);
    else if (this.#done % EVERY === 0 || this.#done === this.#cases)
      this.#print(`${this.#count()} ${groupOf(id)}\n`);
  }

  printed(text: string): void {
    this.#print(text);
  }

  note(sentence: string): void {
    this.#print(`${sentence}\n`);
  }

  /** Leaves the cursor at the beginning of an empty line. */
  end(): void {
    this.#clear();
  }

  #count(): string {
    return `[${this.#done}/${this.#cases}]${this.#bad === 0 ? "" : ` ${this.#bad} failed`}`;
  }

  #rewrite(id: string): void {
    if (!this.#terminal) return;
    this.#clear();
    // A terminal that does not know its width says 0.
    const width = this.#screen.columns === 0 ? undefined : this.#screen.columns;
    this.#line = `${this.#count()} ${id}`.slice(0, (width ?? 80) - 1);
    this.#screen.write(this.#line);
  }

  #print(text: string): void {
    this.#clear();
    this.#screen.write(text);
  }

  #clear(): void {
    if (this.#line !== "") this.#screen.write(CLEAR_LINE);
    this.#line = "";
  }
}
