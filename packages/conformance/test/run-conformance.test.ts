import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";
import { type Harness, runConformance } from "@fs/conformance";
import { expect, test } from "vitest";

test("a function that makes a backend is enough", async () => {
  const report = await runConformance(() => new MemoryBackend(), { seed: 1 });
  expect(report.cases.filter(({ status }) => status === "fail").map(({ text }) => text)).toEqual(
    [],
  );
  expect(report.ok).toBe(true);
  expect(report.probed).toBe(true);
  expect(report.profile).toMatchObject({
    writeMode: "create",
    directories: "implicit",
    codes: true,
  });
  expect(report.levels.core).toBe("partial");
});

test("times that start anew with every object are a failure, unless the profile says so", async () => {
  const statusWith = async (times: "kept" | "observed") => {
    const volumes = new Map<string, MemoryVolume>();
    const report = await runConformance(
      {
        name: "young",
        create: ({ ns }) => {
          const volume = new MemoryVolume();
          volumes.set(ns, volume);
          return new VolumeBackend(volume);
        },
        reopen: ({ ns }) => new VolumeBackend(youngAgain(volumes.get(ns) ?? new MemoryVolume())),
        profile: { durable: true, times },
      },
      { only: "durable/created-at" },
    );
    return report.cases.map(({ status }) => status);
  };
  expect(await statusWith("kept")).toEqual(["fail"]);
  expect(await statusWith("observed")).toEqual(["not-applicable"]);
});

test("a harness that can restart is asked what a restart leaves, unless its profile says otherwise", async () => {
  const forgetful = { name: "forgetful", create: () => new MemoryBackend() };
  const reopen = (): MemoryBackend => new MemoryBackend();
  const statusOf = async (harness: Harness) => {
    const { cases } = await runConformance(harness, { only: "durable/acknowledged" });
    return cases.map(({ status }) => status);
  };
  expect(await statusOf(forgetful)).toEqual(["not-applicable"]);
  expect(await statusOf({ ...forgetful, reopen })).toEqual(["fail"]);
  expect(await statusOf({ ...forgetful, reopen, profile: "probe" })).toEqual(["fail"]);
  expect(await statusOf({ ...forgetful, reopen, profile: { durable: false } })).toEqual([
    "not-applicable",
  ]);
});

/** The same files, every one of them as if it had just been made. */
function youngAgain(volume: MemoryVolume): MemoryVolume {
  const get = volume.get.bind(volume);
  return Object.assign(volume, {
    get: async (path: string) => {
      const file = await get(path);
      return file && { ...file, createdAt: "2999-01-01T00:00:00.000Z" };
    },
  });
}
