import { expect, test } from "vitest";
import { MemoryBackend } from "../src/index.js";
import { onAbort } from "../src/concurrency/on-abort.js";

test("a signal that combines others is a signal like any", async () => {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, new AbortController().signal]);
  const backend = new MemoryBackend();
  await backend.write("/a.txt", "a", { signal });
  expect((await backend.read("/a.txt", 0, 10, { signal })).content).toBe("a");
  let calls = 0;
  const done = onAbort(signal, () => calls++);
  onAbort(signal, () => calls++);
  done();
  controller.abort();
  expect(calls).toBe(1);
  expect(await backend.read("/a.txt", 0, 10, { signal })).toMatchObject({ code: "aborted" });
});
