import { type BackendProtocolV2, CompositeBackend, MemoryBackend } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { setTimeout as delay } from "node:timers/promises";
import { foreignBackend } from "./foreign-backend.js";

/** Two storages that count versions, of which a file of each has the same one once the one was copied over the other. */
async function counting(names: readonly string[] = ["f"]): Promise<{
  source: MemoryBackend;
  target: MemoryBackend;
}> {
  const [source, target] = [new MemoryBackend(), new MemoryBackend()];
  for (const name of names) {
    await source.write(`/pad/${name}`, "counts");
    await target.write(`/d/${name}`, "old");
  }
  for (const name of names) await source.write(`/d/${name}`, "new");
  return { source, target };
}

const mounted = (source: BackendProtocolV2, target: BackendProtocolV2): CompositeBackend =>
  new CompositeBackend(new MemoryBackend(), { "/a/": source, "/b/": target });

/** A backend with versions whose `stat` is another one. */
const withStat = (
  files: MemoryBackend,
  stat: NonNullable<BackendProtocolV2["stat"]>,
): BackendProtocolV2 =>
  foreignBackend(files, {
    semantics: 1,
    features: ["stat", "versions", "conditionalUploads"],
    stat,
    delete: async (path, options) => files.delete(path, options),
    downloadFiles: async (paths) => files.downloadFiles([...paths]),
    uploadFiles: async (given) => files.uploadFiles([...given]),
  });

describe("a move over a file whose version becomes that of the source", () => {
  const WHOLE = { overwrite: true } as const;

  test("moves", async () => {
    const { source, target } = await counting();
    expect(await mounted(source, target).move("/a/d/f", "/b/d/f", WHOLE)).toEqual({
      path: "/b/d/f",
      files: 1,
    });
    expect((await target.read("/d/f")).content).toBe("new");
    expect((await source.read("/d/f")).code).toBe("not_found");
  });

  test.each([
    ["changed", (files: MemoryBackend) => files.edit("/d/f", "new", "newer"), "newer"],
    ["removed", (files: MemoryBackend) => files.delete("/d/f"), undefined],
  ] as const)(
    "puts back what was there when the source is %s meanwhile",
    async (_, change, left) => {
      const { source, target } = await counting();
      const moving = mounted(source, target).move("/a/d/f", "/b/d/f", WHOLE);
      await delay(300);
      await change(source);
      expect((await moving).code).toBe("conflict");
      expect((await source.read("/d/f")).content).toBe(left);
      expect((await target.read("/d/f")).content).toBe("old");
    },
  );

  test("puts back what was there when it is aborted meanwhile", async () => {
    const { source, target } = await counting();
    const signal = AbortSignal.timeout(200);
    const moved = await mounted(source, target).move("/a/d/f", "/b/d/f", { ...WHOLE, signal });
    expect(moved.code).toBe("aborted");
    expect((await source.read("/d/f")).content).toBe("new");
    expect((await target.read("/d/f")).content).toBe("old");
  });

  test("puts back what was there when nothing says what the source is", async () => {
    const { source, target } = await counting();
    let looks = 0;
    const silent = withStat(source, async (path) =>
      ++looks === 1 ? source.stat(path) : { error: "Try again later.", code: "unavailable" },
    );
    expect((await mounted(silent, target).move("/a/d/f", "/b/d/f", WHOLE)).code).toBe(
      "unavailable",
    );
    expect(looks).toBe(4);
    expect((await source.read("/d/f")).content).toBe("new");
    expect((await target.read("/d/f")).content).toBe("old");
  });

  test("puts back what was there where nothing has a time", async () => {
    const { source, target } = await counting();
    const timeless = withStat(source, async (path) => {
      const { info, ...rest } = await source.stat(path);
      if (info === undefined) return { info, ...rest };
      const { modified_at: _, ...untimed } = info;
      return { info: untimed };
    });
    expect((await mounted(timeless, target).move("/a/d/f", "/b/d/f", WHOLE)).code).toBe("conflict");
    expect((await source.read("/d/f")).content).toBe("new");
    expect((await target.read("/d/f")).content).toBe("old");
  });

  test("leaves alone what another call has put there meanwhile", async () => {
    const { source, target } = await counting();
    const moving = mounted(source, target).move("/a/d/f", "/b/d/f", WHOLE);
    await delay(300);
    await target.edit("/d/f", "new", "theirs");
    expect(await moving).toEqual({ path: "/b/d/f", files: 1 });
    expect((await target.read("/d/f")).content).toBe("theirs");
    expect((await source.read("/d/f")).code).toBe("not_found");
  });

  test("touches all of a directory at once", async () => {
    const names = ["1", "2", "3", "4", "5"];
    const { source, target } = await counting(names);
    let uploads = 0;
    const watched = withStat(target, async (path) => target.stat(path));
    const counted = {
      ...watched,
      uploadFiles: async (given: Parameters<MemoryBackend["uploadFiles"]>[0]) => {
        uploads++;
        return target.uploadFiles([...given]);
      },
    };
    expect(await mounted(source, counted).move("/a/d", "/b/d", WHOLE)).toEqual({
      path: "/b/d",
      files: names.length,
    });
    expect(uploads).toBe(3);
    for (const name of names) expect((await target.read(`/d/${name}`)).content).toBe("new");
    expect((await source.ls("/d")).code).toBe("not_found");
  });
});
