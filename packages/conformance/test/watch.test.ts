import { setTimeout as delay } from "node:timers/promises";
import { type CallOptions, type FileChange, MemoryVolume, type WatchResult } from "@fs/protocol";
import { VolumeBackend, type PutCondition, type RemoveCondition } from "@fs/protocol/author";
import { ChangeQueue, watchPath } from "@fs/protocol/async";
import { type CaseOutcome, type Harness, runConformance, wrapped } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { describe, expect, test } from "vitest";

/** Files in memory that report their changes. */
class ReportingVolume extends MemoryVolume {
  readonly queues = new Set<ChangeQueue>();

  override async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version: string }> {
    const old = await this.get(path);
    const stored = await super.put(path, bytes, condition);
    this.report({ type: old === undefined ? "created" : "changed", path });
    return stored;
  }

  override async remove(path: string, condition: RemoveCondition): Promise<boolean> {
    const removed = await super.remove(path, condition);
    if (removed) this.report({ type: "deleted", path });
    return removed;
  }

  report(change: FileChange): void {
    for (const queue of this.queues) queue.add({ ...change });
  }
}

class ReportingBackend extends VolumeBackend {
  readonly reporting: ReportingVolume;

  constructor(volume = new ReportingVolume()) {
    super(volume);
    this.reporting = volume;
  }

  async watch(path = "/", { signal }: CallOptions = {}): Promise<WatchResult> {
    const closed = new AbortController().signal;
    return watchPath({ path, signal, closed }, async (changes) => {
      this.reporting.queues.add(changes);
      changes.onEnd(() => this.reporting.queues.delete(changes));
    });
  }
}

const volumes = new Map<string, ReportingVolume>();
const open = ({ ns }: { ns: string }): ReportingBackend => {
  const volume = volumes.get(ns) ?? new ReportingVolume();
  volumes.set(ns, volume);
  return new ReportingBackend(volume);
};

const reporting: Harness<ReportingBackend> = {
  name: "memory that reports",
  create: open,
  peer: open,
};

conformance(reporting, { only: "watch/*" });

describe("a backend with one fault in its watch fails", () => {
  class ByPrefix extends ReportingBackend {
    override async watch(path = "/", options: CallOptions = {}): Promise<WatchResult> {
      const answer = await super.watch("/", options);
      if (answer.changes === undefined) return answer;
      return { changes: starting(answer.changes, path) };
    }
  }
  async function* starting(changes: AsyncIterable<FileChange>, path: string) {
    for await (const change of changes) if (change.path.startsWith(path)) yield change;
  }
  class AsWritten extends ReportingBackend {
    override async watch(path = "/", options: CallOptions = {}): Promise<WatchResult> {
      const answer = await super.watch("/", options);
      if (answer.changes === undefined) return super.watch(path, options);
      return { changes: starting(answer.changes, path === "/" ? path : `${path}/`) };
    }
  }
  class Forgetful extends ReportingBackend {
    override async watch(path = "/", options: CallOptions = {}): Promise<WatchResult> {
      const answer = await super.watch(path, options);
      if (answer.changes instanceof ChangeQueue) {
        const { changes } = answer;
        const add = changes.add.bind(changes);
        let kept = 0;
        changes.add = (change) => {
          if (kept++ < 100 || change.path.includes("last")) add(change);
        };
      }
      return answer;
    }
  }
  class Throwing extends ReportingBackend {
    override async watch(path = "/", options: CallOptions = {}): Promise<WatchResult> {
      const answer = await super.watch(path, options);
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    }
  }
  class Deaf extends ReportingBackend {
    override async watch(path = "/"): Promise<WatchResult> {
      return super.watch(path);
    }
  }
  class Silent extends ReportingBackend {
    override async edit(...args: Parameters<VolumeBackend["edit"]>) {
      const queues = [...this.reporting.queues];
      this.reporting.queues.clear();
      const result = await super.edit(...args);
      for (const queue of queues) this.reporting.queues.add(queue);
      return result;
    }
  }

  class AsOne extends ReportingBackend {
    override async delete(...args: Parameters<VolumeBackend["delete"]>) {
      const { info } = await this.stat(args[0]);
      const queues = info?.is_dir === true ? [...this.reporting.queues] : [];
      for (const queue of queues) this.reporting.queues.delete(queue);
      const result = await super.delete(...args);
      for (const queue of queues) {
        this.reporting.queues.add(queue);
        queue.add({ type: "deleted", path: args[0] });
      }
      return result;
    }
  }
  class SilentCopies extends ReportingBackend {
    override async copy(...args: Parameters<VolumeBackend["copy"]>) {
      const queues = args[2]?.overwrite === true ? [...this.reporting.queues] : [];
      for (const queue of queues) this.reporting.queues.delete(queue);
      const result = await super.copy(...args);
      for (const queue of queues) this.reporting.queues.add(queue);
      return result;
    }
  }
  class HastyVolume extends ReportingVolume {
    override async put(path: string, bytes: Uint8Array, condition: PutCondition) {
      const old = await this.get(path);
      this.report({ type: old === undefined ? "created" : "changed", path });
      await delay(5);
      return MemoryVolume.prototype.put.call(this, path, bytes, condition);
    }
  }
  class Hasty extends ReportingBackend {
    constructor() {
      super(new HastyVolume());
    }
  }

  test.each([
    [AsOne, "watch/every-change", "fail", "V1"],
    [SilentCopies, "watch/every-change", "fail", "V1"],
    [Hasty, "watch/there-when-reported", "fail", "V1"],
    [ByPrefix, "watch/every-change", "fail", "V1"],
    [Silent, "watch/every-change", "fail", "V1"],
    [AsWritten, "watch/spellings", "timeout", "V1"],
    [Forgetful, "watch/late-reader", "fail", "V2"],
    [Throwing, "watch/refusals", "fail", "V3"],
    [Deaf, "watch/refusals", "fail", "V3"],
    [Deaf, "watch/end", "timeout", "V3"],
    [VolumeBackend, "watch/claimed", "fail", "A9"],
  ] as const)("%o: %s", async (faulty, id, status, rule) => {
    const outcome = await only(
      { name: "x", create: () => new faulty(new ReportingVolume()), timeoutMs: 1000 },
      id,
    );
    expect([outcome.status, outcome.failure?.rule]).toEqual([status, rule]);
  });

  async function only(harness: Harness, id: string): Promise<CaseOutcome> {
    const report = await runConformance(
      { ...harness, profile: id === "watch/claimed" ? { watch: true } : {} },
      { only: id, seed: 7 },
    );
    const [outcome] = report.cases;
    if (outcome === undefined) throw new Error(`no case ${id}`);
    return outcome;
  }
});

test("a watch that is there and denied is a warning, and a failure when strict", async () => {
  const denied = { ...reporting, profile: { watch: false } };
  const mild = await runConformance(denied, { only: "watch/claimed" });
  expect([mild.ok, mild.cases[0]?.warnings.length]).toEqual([true, 1]);
  expect(mild.deviations).toEqual(["watch: false"]);
  expect((await runConformance(denied, { only: "watch/claimed", strict: true })).ok).toBe(false);
});

test("a watch that is not there does not apply, unless it is claimed", async () => {
  const silent: Harness = { name: "x", create: () => new VolumeBackend(new MemoryVolume()) };
  const { ok, cases } = await runConformance(silent, { only: "watch/*", strict: true });
  expect([ok, ...new Set(cases.map(({ status }) => status))]).toEqual([
    true,
    "pass",
    "not-applicable",
  ]);
});

test("a watch that answers 'unsupported' does not apply, unless it is claimed", async () => {
  class Unsupported extends ReportingBackend {
    override async watch(path = "/", options: CallOptions = {}): Promise<WatchResult> {
      const answer = await super.watch(path, options);
      return answer.error === undefined ? { error: "Not here.", code: "unsupported" } : answer;
    }
  }
  const unsupported: Harness = { name: "x", create: () => new Unsupported() };
  const offered = await runConformance(unsupported, { only: "watch/*", strict: true });
  expect(offered.ok).toBe(true);
  const passed = offered.cases.filter(({ status }) => status === "pass").map(({ id }) => id);
  expect(passed).toEqual(["watch/claimed", "watch/refusals"]);
  const claimed = { ...unsupported, profile: { watch: true } };
  expect((await runConformance(claimed, { only: "watch/*" })).ok).toBe(false);
});

test("a wrapped backend is not asked for it", async () => {
  const behind = wrapped(reporting, "behind nothing", (backend) => backend.withoutHooks());
  const report = await runConformance(behind, { only: "watch/*", strict: true });
  expect(report.cases.filter(({ status }) => status === "pass").map(({ id }) => id)).toEqual([
    "watch/claimed",
  ]);
  expect(report.ok).toBe(true);
});
