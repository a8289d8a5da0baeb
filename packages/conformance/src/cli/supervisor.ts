import type { CaseOutcome, Report } from "../report/report.js";
import { endProgram, startModule, type ChildProcess } from "../start-program.js";
import { brokenOff } from "./broken-off.js";
import type { RunnerMessage, RunnerTask } from "./messages.js";
import { Watchdog, type Alarm } from "./watchdog.js";

/** What is heard while the backend's process runs. */
export interface Listener {
  loaded(name: string, cases: number): void;
  began(id: string): void;
  outcome(outcome: CaseOutcome): void;
  /** What the backend or its harness printed. */
  printed(text: string): void;
  /** A sentence on what the supervisor did. */
  note(sentence: string): void;
}

/** A report, or why there is none. */
export type Supervised = { readonly report: Report } | { readonly problem: string };

/** Cases that may end their process before the run is given up; every one costs the time of the watchdog. */
const MAX_BROKEN = 3;
/** Characters kept of what a process printed last. */
const TAIL = 1500;

/** How one process ended. */
type Ending =
  | Supervised
  | { readonly alarm: Alarm }
  | { readonly died: string; readonly tail: string };

/**
 * Runs the suite in a process of its own. When that process blocks or dies, the cases that were under way run again one
 * at a time in a new one, so that the guilty one is known; then the rest.
 */
export class Supervisor {
  readonly #task: Omit<RunnerTask, "known" | "alone" | "preflight" | "onlySumUp">;
  readonly #stallMs: number;
  readonly #listener: Listener;
  readonly #known = new Map<string, CaseOutcome>();
  readonly #underWay = new Set<string>();
  #broken = 0;
  #child: ChildProcess | undefined;

  constructor(
    task: Omit<RunnerTask, "known" | "alone" | "preflight" | "onlySumUp">,
    options: { readonly stallMs: number; readonly listener: Listener },
  ) {
    this.#task = task;
    this.#stallMs = options.stallMs;
    this.#listener = options.listener;
  }

  /** Never rejects for what the backend does. */
  async run(): Promise<Supervised> {
    const start = performance.now();
    let alone: string[] = [];
    let first = true;
    for (;;) {
      const onlySumUp = this.#broken >= MAX_BROKEN;
      const known = [...this.#known.values()];
      const ending = await this.#once({
        ...this.#task,
        known,
        alone,
        preflight: first,
        onlySumUp,
      });
      if ("problem" in ending) return ending;
      // The last process knows only its own time.
      if ("report" in ending)
        return { report: { ...ending.report, ms: performance.now() - start } };
      const guilty = "alarm" in ending ? ending.alarm.ids : [...this.#underWay];
      // The look at the harness may be what did it: the cases tell more, so that they are tried without it.
      if (guilty.length === 0 && !first) return { problem: problemOf(ending) };
      if (guilty.length === 1) this.#conclude(guilty[0] ?? "", ending);
      alone = [...this.#underWay];
      this.#underWay.clear();
      first = false;
      if (this.#broken >= MAX_BROKEN)
        this.#listener.note(`${MAX_BROKEN} cases ended the process: the rest is not run.`);
      else if (alone.length > 0)
        this.#listener.note(`${what(ending)}. One at a time now: ${alone.join(", ")}`);
    }
  }

  /** Ends the process that runs the cases, if there is one. */
  end(): void {
    if (this.#child !== undefined) endProgram(this.#child);
  }

  #conclude(id: string, ending: { alarm: Alarm } | { died: string; tail: string }): void {
    this.#underWay.delete(id);
    this.#broken++;
    const outcome = brokenOff(id, this.#task.options.seed ?? 0, what(ending), {
      status: "died" in ending ? "fail" : ending.alarm.kind === "blocked" ? "timeout" : "error",
      output: "died" in ending ? ending.tail : "",
    });
    this.#known.set(id, outcome);
    this.#listener.outcome(outcome);
  }

  async #once(task: RunnerTask): Promise<Ending> {
    let child: ChildProcess;
    try {
      child = await startModule(new URL("./runner-process.js", import.meta.url));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { problem: `The process that runs the cases did not start: ${why}` };
    }
    this.#child = child;
    const tail = this.#relayOutput(child);
    const watchdog = new Watchdog(this.#stallMs);
    try {
      return await new Promise<Ending>((resolve) => {
        watchdog.onAlarm = (alarm) => resolve({ alarm });
        child.on("message", (message) => {
          watchdog.heard(message as RunnerMessage);
          const ended = this.#heard(message as RunnerMessage);
          if (ended !== undefined) resolve(ended);
        });
        child.once("error", (error) => resolve({ problem: error.message }));
        // `close` comes after all messages and output, `exit` may not.
        child.once("close", (code, signal) =>
          resolve({ died: signal ?? `code ${code ?? "unknown"}`, tail: tail() }),
        );
        child.send(task);
      });
    } finally {
      watchdog.stop();
      endProgram(child);
    }
  }

  #heard(message: RunnerMessage): Supervised | undefined {
    switch (message.type) {
      case "loaded":
        this.#listener.loaded(message.name, message.cases);
        return undefined;
      case "begin":
        this.#underWay.add(message.id);
        this.#listener.began(message.id);
        return undefined;
      case "outcome":
        this.#underWay.delete(message.outcome.id);
        this.#known.set(message.outcome.id, message.outcome);
        this.#listener.outcome(message.outcome);
        return undefined;
      case "report":
        return { report: message.report };
      case "refused":
        return { problem: message.reason };
      case "beat":
      case "created":
        return undefined;
    }
  }

  #relayOutput(child: ChildProcess): () => string {
    let tail = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        tail = (tail + text).slice(-TAIL);
        this.#listener.printed(text);
      });
    return () => tail;
  }
}

function what(ending: { alarm: Alarm } | { died: string }): string {
  return "died" in ending
    ? `The process of the backend ended (${ending.died})`
    : ending.alarm.sentence;
}

function problemOf(ending: { alarm: Alarm } | { died: string; tail: string }): string {
  const said = "died" in ending && ending.tail !== "" ? `\n${ending.tail}` : "";
  return `${what(ending)} while no case was under way.${said}`;
}
