import { MemoryVolume } from "@fs/protocol";
import { VolumeBackend, VolumeError, type PutCondition, type Volume } from "@fs/protocol/author";
import { expect, test } from "vitest";

const bytes = new TextEncoder().encode("x");

/** A backend whose storage would let a file stand below another one: the backend has to look. */
function checkedBackend(put?: (path: string) => void): VolumeBackend {
  const inner = new MemoryVolume();
  const volume: Volume = {
    get: (path) => inner.get(path),
    list: (path, query) => inner.list(path, query),
    put: async (path, content, condition: PutCondition) => {
      put?.(path);
      if (condition.ifVersion !== undefined) throw new VolumeError("conflict");
      return inner.put(path, content, condition);
    },
    remove: (path, condition) => inner.remove(path, condition),
  };
  return new VolumeBackend(volume);
}

test("a file that was refused stands in the way of none below it", async () => {
  const answers = await checkedBackend().uploadFiles([
    ["/a/b/c", bytes],
    ["/a", bytes, { ifVersion: "none" }],
    ["/a/b", bytes, { ifVersion: "none" }],
    ["/d", bytes],
  ]);
  expect(answers.map(({ code }) => code)).toEqual([undefined, "conflict", "conflict", undefined]);
});

test("one that was stored does, and so does one that may have been", async () => {
  const reset = (path: string): void => {
    if (path === "/e") throw Object.assign(new Error("10.0.0.1"), { code: "ECONNRESET" });
  };
  const answers = await checkedBackend(reset).uploadFiles([
    ["/a/b", bytes],
    ["/a", bytes],
    ["/e", bytes],
    ["/e/f", bytes],
  ]);
  expect(answers.map(({ code }) => code)).toEqual([
    "not_directory",
    undefined,
    "unavailable",
    "not_directory",
  ]);
});
