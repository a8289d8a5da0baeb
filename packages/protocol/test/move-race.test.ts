import { expect, test } from "vitest";
import { MemoryBackend, MemoryVolume } from "@fs/protocol";
import { VolumeBackend } from "@fs/protocol/author";

test("of two moves of one file one wins, and the other leaves nothing behind", async () => {
  const backend = new MemoryBackend();
  await backend.write("/from", "x");
  const moves = await Promise.all(["/a", "/b"].map((to) => backend.move("/from", to)));
  expect(moves.map(({ code }) => code)).toEqual([undefined, "not_found"]);
  expect((await backend.glob("**")).files?.map(({ path }) => path)).toEqual(["/a"]);
});

test("two clients that move one file leave it in one place", async () => {
  const volume = new MemoryVolume();
  const [one, two] = [new VolumeBackend(volume), new VolumeBackend(volume)];
  await one.write("/from", "x");
  await one.write("/kept", "old");
  const moves = await Promise.all([
    one.move("/from", "/a"),
    two.move("/from", "/kept", { overwrite: true }),
  ]);
  expect(moves.map(({ error }) => error === undefined)).toEqual([true, false]);
  const kept = await one.readRaw("/kept");
  expect(kept.data?.content).toBe("old");
  expect((await one.glob("**")).files?.map(({ path }) => path)).toEqual(["/a", "/kept"]);
});
