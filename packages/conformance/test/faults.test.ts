import { MemoryBackend, MemoryVolume, type BackendProtocolV2 } from "@fs/protocol";
import { VolumeBackend, type Volume } from "@fs/protocol/author";
import {
  faultyVolume,
  runConformance,
  withoutHooks,
  type Faults,
  type FaultyVolume,
  type Harness,
} from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { expect, test } from "vitest";
import { FAULT_MUTANTS } from "./mutants/fault-mutants.js";
import { overlay } from "./mutants/mutant.js";

function harnessOf(name: string, create: (storage: Volume) => BackendProtocolV2): Harness {
  const storages = new Map<string, FaultyVolume>();
  const storageOf = ({ ns }: { ns: string }): FaultyVolume => {
    const storage = storages.get(ns) ?? faultyVolume(new MemoryVolume());
    storages.set(ns, storage);
    return storage;
  };
  return {
    name,
    // A call that a fault holds ends the case, not the run.
    timeoutMs: 5000,
    create: (of) => create(storageOf(of).volume),
    peer: (of) => create(storageOf(of).volume),
    faults: (of) => storageOf(of).faults,
  };
}

const plain = harnessOf("memory that fails", (storage) => new VolumeBackend(storage));
conformance(plain, { only: "fault/*" });
conformance(withoutHooks(plain), { only: "fault/*" });

test.each(FAULT_MUTANTS.map(({ by, bug, create }) => [by, bug, create] as const))(
  "%s notices: %s",
  async (only, _, create) => {
    const { cases } = await runConformance(harnessOf("faulty", create), { only, seed: 1 });
    expect(cases.map(({ status }) => status)).toEqual([
      only.endsWith("-stalled") ? "timeout" : "fail",
    ]);
  },
);

test("a fault that the suite does not know is an error of the harness", async () => {
  const misspelt = { readonly: () => () => undefined } as unknown as Faults;
  const { cases } = await runConformance(
    { ...plain, faults: () => misspelt },
    { only: ["fault/outage", "fault/write-read-only"] },
  );
  expect(cases.map(({ status }) => status)).toEqual(["error", "error"]);
  for (const { reason } of cases)
    expect(reason).toContain("'faults' has a field 'readonly', which is not known. There are: cut");
});

test("a fault that the harness cannot cause leaves its cases untested", async () => {
  const { cases } = await runConformance(
    { ...plain, faults: () => ({}) },
    { only: ["fault/outage", "fault/write-read-only"] },
  );
  expect(cases.map(({ status, reason }) => [status, reason])).toEqual([
    ["untested", "the harness's 'faults' have no 'cut'"],
    ["untested", "the harness's 'faults' have no 'readOnly'"],
  ]);
});

test("a fault ends with its case, also where a call never answered", async () => {
  const ends: string[] = [];
  const { cases } = await runConformance(
    {
      name: "hangs while the storage is away",
      timeoutMs: 300,
      create: () => {
        const inner = new MemoryBackend();
        return overlay(inner, {
          ls: () => (ends.length === 1 ? new Promise(() => undefined) : inner.ls()),
        });
      },
      faults: () => ({
        cut: () => {
          ends.push("begun");
          return () => void ends.push("ended");
        },
      }),
    },
    { only: "fault/ls-cut" },
  );
  expect(cases.map(({ status }) => status)).toEqual(["timeout"]);
  expect(ends).toEqual(["begun", "ended"]);
});

test("no case runs beside one that lets the storage fail", async () => {
  let running = 0;
  const most = new Map<string, number>();
  const faulty = (kind: string) => () => {
    most.set(kind, Math.max(running, most.get(kind) ?? 0));
    return () => undefined;
  };
  await runConformance(
    {
      name: "counts",
      create: () => {
        running++;
        return { backend: new MemoryBackend(), dispose: () => void running-- };
      },
      faults: () => ({ cut: faulty("cut"), refuse: faulty("refuse") }),
    },
    { only: ["fault/ls-*", "fault/read-*", "read/*"] },
  );
  expect([...most]).toEqual([
    ["cut", 1],
    ["refuse", 1],
  ]);
});
