import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { expect, test } from "vitest";

test("a regular expression, and the lines around matches, are bounded", async () => {
  const files = new MemoryBackend();
  await files.write("/a", "hit\n".repeat(20_000));
  expect(await files.grep("x".repeat(4097), "/", null, null, { regex: true })).toMatchObject({
    code: "invalid_argument",
  });
  expect(
    (await files.grep("x".repeat(4096), "/", null, null, { regex: true })).error,
  ).toBeUndefined();
  expect(await files.grep("hit", "/", null, null, { before: 5000, after: 5000 })).toMatchObject({
    code: "invalid_argument",
  });
});

test("a search with a cap asks no mount for everything where a hidden file uses the cap up", async () => {
  const asked: unknown[] = [];
  let given = 0;
  class Counting extends MemoryBackend {
    override async grep(...args: Parameters<MemoryBackend["grep"]>) {
      asked.push(args[3]);
      const result = await super.grep(...args);
      given += result.matches?.length ?? 0;
      return result;
    }
  }
  const hiding = new Counting();
  await hiding.write("/m/hidden", "hit\n".repeat(20));
  await hiding.write("/z", "hit\n".repeat(10_000));
  const all = new CompositeBackend(hiding, { "/m/": new MemoryBackend() });
  const { matches, truncated } = await all.grep("hit", "/", null, 10);
  expect([matches?.length, matches?.[0]?.path, truncated]).toEqual([10, "/z", true]);
  expect(asked.every((cap) => typeof cap === "number")).toBe(true);
  expect(asked.length).toBeGreaterThan(1);
  expect(given).toBeLessThanOrEqual(10 + 40 + 160);
});

test("lists with holes are answered, item by item or as a whole", async () => {
  const files = new MemoryBackend();
  const holes = <T>(): T[] => Array.from<T>({ length: 2 }).fill(undefined as T);
  const sparse = Array(2) as never[];
  for (const list of [sparse, holes<never>()]) {
    for (const answers of [await files.uploadFiles(list), await files.downloadFiles(list)])
      expect(answers.map(({ error }) => error)).toEqual(["invalid_path", "invalid_path"]);
  }
});
