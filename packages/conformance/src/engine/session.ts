import type { Case, Tier } from "../cases/case.js";
import { selectCases } from "../cases/catalogue.js";
import {
  harnessOf,
  instanceOf,
  type Harness,
  type HarnessLike,
  type Instance,
} from "../harness/harness.js";
import { probeProfile } from "../harness/probe.js";
import { completeProfile, type Profile } from "../harness/profile.js";
import { refuseUnknown } from "../harness/validate.js";
import { buildReport } from "../report/build-report.js";
import type { CaseOutcome, Report } from "../report/report.js";
import { CaseContext } from "./case-context.js";
import { isHeavy } from "./heavy.js";
import { unmetNeed } from "./needs.js";
import { LIMITS_OF_A_CASE } from "./own-time.js";
import { runCase, type RunOfCase } from "./run-case.js";
import { Turns, type Crowded } from "./turns.js";

export interface RunOptions {
  /** How much is run. Default `"quick"`. */
  readonly tier?: Tier;
  /** Of every random choice. Default: FS_CONFORMANCE_SEED in the bindings of test runners, else by the clock; it is in the report. */
  readonly seed?: number;
  /** Begins the model at this place of the seed: what a failure of `model/…` calls its replay. */
  readonly replay?: string;
  /** Runs only cases whose ID is one of these, or matches: `"edit/*"`, `"conc/counter"`. Such a run earns no level. */
  readonly only?: string | readonly string[];
  /** Leaves these out, likewise. */
  readonly skip?: string | readonly string[];
  /** Treats capabilities that work without being claimed as failures, not as warnings. Default `false`. */
  readonly strict?: boolean;
  /** Cases under way at once. Default: as the harness says, else 4. */
  readonly concurrency?: number;
}

/** Milliseconds a call of a case may take unless the harness says otherwise. */
const DEFAULT_TIMEOUT = 20_000;

/** A case of the full tier makes several times as many calls, some of them larger, and has this many times the time. */
const FULL_TIER_PATIENCE = 5;

/** Cases under way at once unless the harness or the options say otherwise. */
const DEFAULT_CONCURRENCY = 4;

/** What a case begins with. */
interface Beginning {
  readonly profile: Profile;
  readonly instance: Instance;
  readonly controller: AbortController;
  readonly crowded: Crowded;
}

/**
 * A run in progress: what `runConformance` and the bindings of test runners share. `setup` and the profile are taken
 * care of by the first case.
 */
export class Session {
  readonly harness: Harness;
  readonly tier: Tier;
  readonly seed: number;
  /** The cases to run, in order. */
  readonly cases: readonly Case[];
  readonly partial: boolean;
  readonly strict: boolean;
  readonly replay: string | undefined;
  /** Cases under way at once. */
  readonly concurrency: number;
  /** Milliseconds a call of a case may take, times the patience of the case; the case may take four times as long. */
  readonly timeoutMs: number;
  readonly #outcomes: CaseOutcome[] = [];
  readonly #start = performance.now();
  readonly #id = `${Date.now().toString(36)}${Math.floor(Math.random() * 36 ** 4).toString(36)}`;
  readonly #turns: Turns;
  readonly #memo = new Map<string, Promise<unknown>>();
  #count = 0;
  /** Whether a case was late that ran alone. */
  #hangs = false;
  #ready: Promise<Profile> | undefined;
  #profile: Profile | undefined;

  constructor(input: HarnessLike, options: RunOptions = {}) {
    this.harness = harnessOf(input);
    refuseUnknown(this.harness);
    this.tier = options.tier ?? "quick";
    this.timeoutMs =
      (this.harness.timeoutMs ?? DEFAULT_TIMEOUT) * (this.tier === "full" ? FULL_TIER_PATIENCE : 1);
    this.seed = options.seed ?? Date.now() % 2 ** 31;
    this.strict = options.strict ?? false;
    this.replay = options.replay;
    this.concurrency = options.concurrency ?? this.harness.concurrency ?? DEFAULT_CONCURRENCY;
    this.#turns = new Turns(this.concurrency);
    const selected = selectCases(this.tier, options.only, options.skip);
    this.cases = selected.cases;
    this.partial = selected.partial;
  }

  /** Milliseconds after which the harness hangs: one that is late beside others waits for them, and runs once more. */
  longestMs(tested: Case): number {
    const ofCase = this.timeoutMs * (tested.patience ?? 1) * LIMITS_OF_A_CASE;
    return ofCase * (isHeavy(tested) ? 1 : 3);
  }

  /** Runs one case on a fresh backend. Never throws. */
  async run(tested: Case): Promise<CaseOutcome> {
    const outcome = await this.#run(tested);
    this.#outcomes.push(outcome);
    return outcome;
  }

  /** Tears the harness down and sums up. */
  async finish(): Promise<Report> {
    const broken =
      this.#ready === undefined
        ? undefined
        : await problemOf(async () => this.harness.teardown?.());
    return buildReport({
      problems: broken === undefined ? [] : [`The harness's teardown failed: ${broken}`],
      harness: this.harness,
      tier: this.tier,
      seed: this.seed,
      partial: this.partial,
      probed: this.harness.profile === "probe",
      profile: this.#profile ?? completeProfile({}, this.harness),
      outcomes: this.#outcomes,
      cases: this.cases,
      ms: performance.now() - this.#start,
    });
  }

  async #run(tested: Case): Promise<CaseOutcome> {
    try {
      const profile = await (this.#ready ??= this.#prepare());
      const unmet = unmetNeed(tested.needs, profile, this.harness);
      if (unmet !== undefined) return withoutRun(tested, unmet.status, unmet.reason);
      const once = async (crowded: Crowded): Promise<RunOfCase> => {
        const controller = new AbortController();
        const instance = await this.#create(controller.signal);
        return this.#runOn(tested, { profile, instance, controller, crowded });
      };
      if (isHeavy(tested)) return (await this.#turns.exclusive(once)).outcome;
      const first = await this.#turns.shared(once);
      if (first.lateBesideOthers === undefined) return first.outcome;
      return await this.#turns.exclusive(async (crowded) =>
        this.#alone(first, async () => once(crowded)),
      );
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return withoutRun(tested, "error", `The harness failed: ${text}`);
    }
  }

  /**
   * Whether a case is late also without others. Where one was, the backend has calls that do not end: waiting for each of
   * them once more would take the suite minutes, and tell nothing new.
   */
  async #alone(first: RunOfCase, once: () => Promise<RunOfCase>): Promise<CaseOutcome> {
    if (first.lateBesideOthers === "unended" && this.#hangs) return first.outcome;
    const { outcome } = await once();
    this.#hangs ||= outcome.status === "timeout";
    return outcome;
  }

  async #runOn(
    tested: Case,
    { profile, instance, controller, crowded }: Beginning,
  ): Promise<RunOfCase> {
    const context = new CaseContext({
      harness: this.harness,
      profile,
      instance,
      tier: this.tier,
      seed: this.seed,
      strict: this.strict,
      replay: this.replay,
      signal: controller.signal,
      memo: this.#memo,
      createInstance: (ns) => this.#create(controller.signal, ns),
    });
    let run: RunOfCase | undefined;
    try {
      run = await runCase(tested, {
        context,
        around: async (body) =>
          this.harness.around === undefined ? body() : this.harness.around(instance, body),
        timeoutMs: this.timeoutMs,
        abort: () => controller.abort(),
        crowded,
        expected: this.harness.expectedFailures?.[tested.id],
      });
    } finally {
      const broken = await problemOf(async () => {
        await context.close();
        await instance.dispose?.();
      });
      if (broken !== undefined)
        run = { outcome: afterBrokenDisposal(tested, run?.outcome, broken) };
    }
    return run;
  }

  async #prepare(): Promise<Profile> {
    await this.harness.setup?.();
    this.#profile =
      this.harness.profile === "probe"
        ? await this.#probe()
        : completeProfile(this.harness.profile, this.harness);
    return this.#profile;
  }

  async #probe(): Promise<Profile> {
    const instance = await this.#create(new AbortController().signal);
    let profile: Profile | undefined;
    const body = async (): Promise<void> => {
      profile = await probeProfile(instance.backend, this.harness);
    };
    await (this.harness.around === undefined ? body() : this.harness.around(instance, body));
    await instance.dispose?.();
    return profile ?? completeProfile({}, this.harness);
  }

  async #create(
    signal: AbortSignal,
    ns = `c${this.#id}-${(this.#count++).toString(36)}`,
  ): Promise<Instance> {
    return instanceOf(await this.harness.create({ ns, signal }), ns);
  }
}

/** What a step of the harness threw, as a text. */
async function problemOf(step: () => Promise<void>): Promise<string | undefined> {
  try {
    await step();
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

/** A failure stays one; what passed is an error of the harness. */
function afterBrokenDisposal(
  tested: Case,
  outcome: CaseOutcome | undefined,
  broken: string,
): CaseOutcome {
  const reason = `The harness failed: disposing of the backend threw: ${broken}`;
  if (outcome === undefined || outcome.status === "pass")
    return withoutRun(tested, "error", reason);
  return { ...outcome, warnings: [...outcome.warnings, reason] };
}

function withoutRun(
  tested: Case,
  status: "not-applicable" | "untested" | "error",
  reason: string,
): CaseOutcome {
  const { id, rules, level } = tested;
  const text = status === "error" ? { text: `${id}: ${reason}` } : {};
  return { id, rules, level, status, reason, assertions: 0, ms: 0, warnings: [], ...text };
}
