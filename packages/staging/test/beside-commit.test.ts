import { interceptBackend, MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { expect, test } from "vitest";
import { baseWith, contents, statuses } from "./trees.js";

const LOOKS: ReadonlyArray<[name: string, look: (staged: StagingBackend) => Promise<unknown>]> = [
  ["ls", async (staged) => (await staged.ls("/")).files?.map(({ path }) => path)],
  ["glob", async (staged) => (await staged.glob("**/*")).files?.map(({ path }) => path)],
  ["grep", async (staged) => (await staged.grep("text")).matches?.map(({ path }) => path)],
  ["stat of /new/a", async (staged) => (await staged.stat("/new/a")).code],
  ["stat of /gone/a", async (staged) => (await staged.stat("/gone/a")).code],
  ["stat of /new", async (staged) => (await staged.stat("/new")).code],
  ["stat of /gone", async (staged) => (await staged.stat("/gone")).code],
  ["ls of /new", async (staged) => (await staged.ls("/new")).files?.map(({ path }) => path)],
  ["ls of /gone", async (staged) => (await staged.ls("/gone")).code],
];

/** Looks while everything that is staged is committed right before the n-th call of a layer. */
async function lookBeside(
  look: (staged: StagingBackend) => Promise<unknown>,
  layer: "upper" | "base",
  call: number,
): Promise<unknown> {
  const layers = {
    base: await baseWith({ "/gone/a": "text", "/kept": "text" }),
    upper: new MemoryBackend(),
  };
  const staged = new StagingBackend(layers.base, { upper: layers.upper });
  await staged.write("/new/a", "text");
  await staged.delete("/gone/a");
  let calls = 0;
  const watched = interceptBackend(layers[layer], async (_, proceed) => {
    if (++calls === call) expect((await staged.commit()).complete).toBe(true);
    return proceed();
  });
  const reader =
    layer === "base"
      ? new StagingBackend(watched, { upper: layers.upper })
      : new StagingBackend(layers.base, { upper: watched });
  return look(reader);
}

test.each(LOOKS)("%s shows the same before, beside and after a commit", async (_, look) => {
  const expected = await lookBeside(look, "base", 0);
  for (const layer of ["upper", "base"] as const)
    for (let call = 1; call <= 5; call++)
      expect([layer, call, await lookBeside(look, layer, call)]).toEqual([layer, call, expected]);
});

test("a directory where a removed file was is shown, and the removal is done (B2)", async () => {
  const base = await baseWith({ "/a": "1" });
  const staged = new StagingBackend(base);
  await staged.delete("/a");
  await base.delete("/a");
  await base.write("/a/theirs", "1");
  expect((await staged.ls("/")).files?.map(({ path }) => path)).toEqual(["/a/"]);
  expect((await staged.stat("/a")).info?.path).toBe("/a/");
  expect((await staged.ls("/a")).files?.map(({ path }) => path)).toEqual(["/a/theirs"]);
  expect(statuses(await staged.commit())).toEqual({ "/a": "already" });
  expect(await contents(base)).toEqual({ "/a/theirs": "1" });
});
