import {
  CompositeBackend,
  type Filesystem,
  MemoryBackend,
  type TracingTracer,
  withAudit,
  withPermissions,
  withPolicy,
  withQuota,
  withTracing,
} from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { promisesOf } from "./count-promises.js";

const tracer: TracingTracer = {
  startActiveSpan: (_name, task) =>
    task({ setAttribute: () => undefined, setStatus: () => undefined, end: () => undefined }),
};

const LAYERS: Record<string, (inner: Filesystem) => Filesystem> = {
  withPermissions: (inner) =>
    withPermissions(inner, [{ operations: ["read"], paths: ["/secret/**"], mode: "deny" }]),
  withPolicy: (inner) => withPolicy(inner, { beforeRead: () => undefined, afterWrite: () => {} }),
  withAudit: (inner) => withAudit(inner, () => {}),
  "withQuota on bytes": (inner) => withQuota(inner, { bytes: 1_000_000 }),
  "withQuota on calls": (inner) => withQuota(inner, { operations: { max: 1e6, per: 1000 } }),
  withTracing: (inner) => withTracing(inner, { tracer }),
  CompositeBackend: (inner) => new CompositeBackend(inner, { "/m/": new MemoryBackend() }),
};

const CALLS: Record<string, (backend: Filesystem) => Promise<unknown>> = {
  ls: (backend) => backend.ls("/d"),
  stat: async (backend) => backend.stat?.("/d/1"),
  read: (backend) => backend.read("/d/1"),
  readRaw: (backend) => backend.readRaw("/d/1"),
  write: (backend) => backend.write("/d/new", "new"),
  edit: (backend) => backend.edit("/d/1", "one", "two"),
  glob: (backend) => backend.glob("*", "/d"),
  grep: (backend) => backend.grep("one", "/d"),
  delete: async (backend) => backend.delete?.("/d/2"),
  move: async (backend) => backend.move?.("/d/2", "/d/3"),
};

interface Counted {
  readonly backend: Filesystem;
  /** The calls on what is wrapped. */
  readonly calls: string[];
}

/** A wrapped backend of some files that keeps the names of the calls below. */
async function filled(files: number, wrap: (inner: Filesystem) => Filesystem): Promise<Counted> {
  const memory = new MemoryBackend();
  for (let i = 0; i < files; i++) await memory.write(`/d/${i}`, "one\n");
  const calls: string[] = [];
  const inner = new Proxy(memory, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => {
        calls.push(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
  const backend = wrap(inner);
  // The first change measures what a quota counts.
  await backend.write("/warm", "");
  calls.length = 0;
  return { backend, calls };
}

/** The promises and the calls below that a call makes: the fewest of some, as a busy machine may pause a long call. */
async function costOf(
  call: (backend: Filesystem) => Promise<unknown>,
  wrap: (inner: Filesystem) => Filesystem = (inner) => inner,
): Promise<{ promises: number; calls: readonly string[] }> {
  const costs = [];
  for (let round = 0; round < 3; round++) {
    const { backend, calls } = await filled(8, wrap);
    costs.push({ promises: await promisesOf(() => call(backend)), calls });
  }
  return costs.reduce((least, cost) => (cost.promises < least.promises ? cost : least));
}

// A policy judges each file of a tree before the tree goes.
const JUDGED = new Set(["withPolicy delete", "withPolicy move"]);
// A router puts listings in its own order, and moves by an engine of its own.
const ROUTED = new Set(["ls", "glob", "grep", "move"].map((name) => `CompositeBackend ${name}`));

describe.each(Object.entries(LAYERS))("%s", (layer, wrap) => {
  const allowed = layer === "CompositeBackend" ? 6 : 5;
  const plain = Object.entries(CALLS).filter(([name]) => !JUDGED.has(`${layer} ${name}`));

  test.each(plain.filter(([name]) => !ROUTED.has(`${layer} ${name}`)))(
    "makes few promises more for %s than the backend",
    async (_, call) => {
      const own = await costOf(call);
      const all = await costOf(call, wrap);
      expect(all.promises - own.promises).toBeLessThanOrEqual(allowed);
    },
  );

  test.each(plain.filter(([name]) => `${layer} ${name}` !== "CompositeBackend move"))(
    "makes one call for %s",
    async (name, call) => {
      const { calls } = await costOf(call, wrap);
      expect(calls).toEqual([name]);
    },
  );

  test("makes as many promises in a large tree as in a small one", async () => {
    const counts = [];
    for (const files of [10, 1000]) {
      const { backend } = await filled(files, wrap);
      const counted = [];
      for (const name of ["stat", "read", "write", "edit", "delete", "move"])
        counted.push(await promisesOf(async () => CALLS[name]?.(backend)));
      counts.push(counted);
    }
    expect(counts[1]).toEqual(counts[0]);
  });
});
