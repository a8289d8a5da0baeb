import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { memoryByThread } from "@fs/middleware";
import { MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { expect, test } from "vitest";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const inThread = (thread_id: string) => ({ configurable: { thread_id } });

/** Lets the engine find what nothing refers to: what was read from a weak reference stays until the end of the turn. */
async function collected(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}

/** Works in a thread, and leaves only a weak reference to what it worked in. */
async function weakly(
  upperOf: ReturnType<typeof memoryByThread>,
  thread: string,
  work: (staged: StagingBackend) => Promise<unknown>,
): Promise<WeakRef<object>> {
  const upper = upperOf(inThread(thread));
  expect(upperOf(inThread(thread))).toBe(upper);
  await work(new StagingBackend(new MemoryBackend(), { upper }));
  return new WeakRef(upper);
}

test("a thread keeps its memory while something is staged, and only then", async () => {
  const upperOf = memoryByThread();
  const works: ReadonlyArray<
    readonly [string, boolean, (staged: StagingBackend) => Promise<unknown>]
  > = [
    ["looks", false, (staged) => staged.ls("/")],
    ["stages", true, (staged) => staged.write("/a.md", "a")],
    [
      "commits",
      false,
      async (staged) => {
        await staged.write("/a.md", "a");
        await staged.write("/b.md", "b");
        expect(await staged.commit()).toMatchObject({ complete: true });
      },
    ],
    [
      "commits a part",
      true,
      async (staged) => {
        await staged.write("/a.md", "a");
        await staged.write("/b.md", "b");
        expect(await staged.commit({ only: "/a.md" })).toMatchObject({ complete: true });
      },
    ],
    [
      "discards",
      false,
      async (staged) => {
        await staged.write("/a.md", "a");
        await staged.discard();
      },
    ],
    [
      "stages again",
      true,
      async (staged) => {
        await staged.write("/a.md", "a");
        await staged.commit();
        await staged.delete("/a.md");
      },
    ],
  ];
  const kept: Array<readonly [string, WeakRef<object>]> = [];
  for (const [name, , work] of works) kept.push([name, await weakly(upperOf, name, work)]);
  await collected();
  expect(kept.map(([name, reference]) => [name, reference.deref() !== undefined])).toEqual(
    works.map(([name, holds]) => [name, holds]),
  );
  const again = new StagingBackend(new MemoryBackend(), { upper: upperOf(inThread("stages")) });
  expect((await again.read("/a.md")).content).toBe("a");
});

test("a call that is about to stage a change does so in the memory that its thread keeps", async () => {
  const upperOf = memoryByThread();
  const upper = upperOf(inThread("1"));
  await collected();
  await upper.write("/entries/fa.md", "{}");
  expect(upperOf(inThread("1"))).toBe(upper);
});
