import { setTimeout as delay } from "node:timers/promises";
import { runConformance, type Harness } from "@fs/conformance";
import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Methods that throw, and from which of a client's calls on. */
const FAULTS = [
  "read",
  "readRaw",
  "stat",
  "ls",
  "glob",
  "grep",
  "write",
  "edit",
  "delete",
  "move",
  "copy",
  "uploadFiles",
];
const FROM = [2, 6];

const unheard: unknown[] = [];
const hear = (reason: unknown): void => void unheard.push(reason);
beforeAll(() => void process.on("unhandledRejection", hear));
afterAll(() => void process.off("unhandledRejection", hear));

test.each(FAULTS.flatMap((method) => FROM.map((from) => ({ method, from }))))(
  "a run on a backend whose $method throws from call $from on ends, with all that it began",
  async ({ method, from }) => {
    const asked = { calls: 0 };
    const report = await runConformance(throwing(method, from, asked), {
      only: ["conc/*", "fresh/*", "peer/*"],
      seed: 1,
    });
    expect(report.cases.some(({ status }) => status === "fail")).toBe(true);
    // What was under way when a case failed may end; nothing may go on.
    await delay(50);
    const { calls } = asked;
    await delay(50);
    expect(asked.calls).toBe(calls);
    expect(unheard.splice(0)).toEqual([]);
  },
);

function throwing(method: string, from: number, asked: { calls: number }): Harness {
  const volumes = new Map<string, MemoryVolume>();
  const client = ({ ns }: { ns: string }): VolumeBackend => {
    const volume = volumes.get(ns) ?? new MemoryVolume();
    volumes.set(ns, volume);
    let calls = 0;
    return new Proxy(new VolumeBackend(volume), {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]): Promise<unknown> => {
          asked.calls++;
          if (name === method && ++calls >= from) throw new Error("thrown");
          return (await Reflect.apply(member, target, args)) as unknown;
        };
      },
    });
  };
  return { name: "throwing", create: client, peer: client };
}
