import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend, type Volume } from "@fs/protocol/author";
import { expect, test } from "vitest";

const encoder = new TextEncoder();

test.each(
  (["move", "copy"] as const).flatMap((kind) =>
    [{}, { collisions: "refused" }, { collisions: "refused", relocatesUnseen: true }].map(
      (traits) => [kind, traits] as const,
    ),
  ),
)("no hook is asked to %s a file to the root, of a volume with %j", async (kind, traits) => {
  const asked: string[] = [];
  const inner = new MemoryVolume();
  const volume: Volume = Object.assign(inner, traits, {
    moveFile: async (_from: string, to: string) => {
      asked.push(to);
      return true as const;
    },
    copyFile: async (_from: string, to: string) => {
      asked.push(to);
      return true as const;
    },
  });
  await inner.put("/a.txt", encoder.encode("a"), {});
  const files = new VolumeBackend(volume);
  for (const options of [{}, { overwrite: true }])
    expect(await files[kind]("/a.txt", "/", options)).toEqual({
      code: "is_directory",
      error: expect.stringContaining("'/'") as string,
    });
  expect(asked).toEqual([]);
  expect((await files.read("/a.txt")).content).toBe("a");
});
