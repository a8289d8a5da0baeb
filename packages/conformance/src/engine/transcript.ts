import { literal, show } from "../report/render.js";

/** One call that a case made. */
export interface CallRecord {
  /** Which client made it; empty for the first. */
  readonly client: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Milliseconds since the case began. */
  readonly startedAt: number;
  result?: unknown;
  thrown?: unknown;
  /** Milliseconds; absent while it is under way. */
  ms?: number;
}

/** Lines of a transcript that a report shows: the first ones and the last ones. */
const MAX_CALLS_SHOWN = 24;

/** What a case called, in order. */
export class Transcript {
  readonly #calls: CallRecord[] = [];
  /** Those without an answer, in the order in which they began. */
  readonly #underWay = new Set<CallRecord>();
  #longest: CallRecord | undefined;
  #answered = 0;
  readonly #start = performance.now();

  get calls(): readonly CallRecord[] {
    return this.#calls;
  }

  /** The call that has waited longest for its answer, also one that was forgotten. */
  get oldest(): CallRecord | undefined {
    const [oldest] = this.#underWay;
    return oldest;
  }

  /** The answered call that took longest by the clock on the wall, also one that was forgotten. */
  get longest(): CallRecord | undefined {
    return this.#longest;
  }

  /** How many calls were answered, also those that were forgotten. */
  get answered(): number {
    return this.#answered;
  }

  /** Forgets all calls so far: what led to a failure is often only the last part of a search for it. */
  clear(): void {
    this.#calls.splice(0);
  }

  begin(client: string, method: string, args: readonly unknown[]): CallRecord {
    const record = { client, method, args, startedAt: performance.now() - this.#start };
    this.#calls.push(record);
    this.#underWay.add(record);
    return record;
  }

  end(record: CallRecord, outcome: { result: unknown } | { thrown: unknown }): void {
    Object.assign(record, outcome);
    record.ms = performance.now() - this.#start - record.startedAt;
    if (record.ms > (this.#longest?.ms ?? 0)) this.#longest = record;
    this.#underWay.delete(record);
    this.#answered++;
  }

  /** One line per call, with its result and time. Long transcripts lose their middle. */
  lines(): string[] {
    return this.#shortened((call, index) => {
      const who = call.client === "" ? "" : `${call.client}.`;
      const args = call.args.map((arg) => show(arg)).join(", ");
      return `${index + 1}. ${who}${call.method}(${args}) → ${outcomeOf(call)}`;
    });
  }

  /** The calls as a program: what to paste to see the failure without the suite. */
  snippet(): string[] {
    return this.#shortened((call, index) => {
      const who = call.client === "" ? "backend" : call.client;
      const args = call.args.map((arg) => literal(arg)).join(", ");
      const statement = `await ${who}.${call.method}(${args})`;
      return index === this.#calls.length - 1 ? `console.log(${statement});` : `${statement};`;
    });
  }

  #shortened(render: (call: CallRecord, index: number) => string): string[] {
    const calls = this.#calls;
    if (calls.length <= MAX_CALLS_SHOWN) return calls.map(render);
    const head = calls.slice(0, 8).map(render);
    const tailFrom = calls.length - (MAX_CALLS_SHOWN - 8);
    const tail = calls.slice(tailFrom).map((call, index) => render(call, tailFrom + index));
    return [...head, `// … ${tailFrom - 8} more calls`, ...tail];
  }
}

function outcomeOf(call: CallRecord): string {
  if (call.ms === undefined) return "(never answered)";
  const time = `${call.ms.toFixed(call.ms < 10 ? 1 : 0)} ms`;
  return "thrown" in call
    ? `threw ${show(call.thrown)} (${time})`
    : `${show(call.result)} (${time})`;
}
