import type { RunnerMessage } from "./messages.js";

/** Why a process is given up. */
export interface Alarm {
  /** `blocked`: it no longer says that it lives. `hung`: it lives, and a case does not end. */
  readonly kind: "blocked" | "hung";
  readonly sentence: string;
  /** The cases that may be the reason. */
  readonly ids: readonly string[];
}

/** Milliseconds between looks. */
const LOOK_MS = 250;
/** What loading a harness and its `setup` may take: servers start, images are fetched. */
const START_MS = 600_000;
/** What making, closing and disposing of backends may take beyond the limit of a case. */
const GRACE_MS = 60_000;

/** Watches a process by its messages. It must say something now and then, and end what it begins. */
export class Watchdog {
  /** Hears of the first alarm. */
  onAlarm: (alarm: Alarm) => void = () => undefined;
  readonly #stallMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #underWay = new Map<string, number>();
  #heardAt = performance.now();
  #lookedAt = performance.now();
  #started = false;
  /** When something must have happened though no case is under way: `teardown` at the end. */
  #idleSince = performance.now();

  constructor(stallMs: number) {
    this.#stallMs = stallMs;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Takes a sign of life into account. */
  heard(message: RunnerMessage): void {
    this.#heardAt = performance.now();
    if (message.type === "begin")
      this.#underWay.set(message.id, this.#heardAt + message.limitMs + GRACE_MS);
    if (message.type === "outcome") this.#underWay.delete(message.outcome.id);
    if (message.type === "created") this.#started = true;
    if (message.type !== "beat") this.#idleSince = this.#heardAt;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    // When this process itself was held up (a laptop asleep), messages may be waiting: they come first.
    const late = now - this.#lookedAt > 4 * LOOK_MS;
    this.#lookedAt = now;
    if (late) {
      this.#heardAt = Math.max(this.#heardAt, now - this.#stallMs / 2);
      return;
    }
    const silent = now - this.#heardAt;
    if (silent > (this.#started ? this.#stallMs : START_MS)) {
      const seconds = Math.round(silent / 1000);
      this.onAlarm({
        kind: "blocked",
        sentence: `The process of the backend gave no sign of life for ${seconds} s: something blocks its event loop, such as an endless loop, a regular expression that explodes, or synchronous input and output`,
        ids: [...this.#underWay.keys()],
      });
      return;
    }
    const overdue = [...this.#underWay].filter(([, end]) => now > end).map(([id]) => id);
    if (overdue.length > 0) this.#hung(overdue, "'create' or 'dispose' of the harness did not end");
    else if (this.#underWay.size === 0 && now - this.#idleSince > START_MS)
      this.#hung([], "'setup', 'teardown' or loading the harness did not end");
  }

  #hung(ids: readonly string[], sentence: string): void {
    this.onAlarm({ kind: "hung", sentence, ids });
  }
}
