import { KeyedQueue } from "@fs/protocol/async";
import { expect, test } from "vitest";
import { fewestPromisesOf } from "./count-promises.js";

/** A task that records that it has begun, and ends when the test ends it. */
function held(begun: string[], name: string): { task: () => Promise<string>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const task = async (): Promise<string> => {
    begun.push(name);
    await ended;
    return name;
  };
  return { task, end: () => end() };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("a task of many keys waits for those before it, and those after it wait for all of its keys", async () => {
  const queue = new KeyedQueue();
  const begun: string[] = [];
  const [first, all, later] = [held(begun, "first"), held(begun, "all"), held(begun, "later")];
  const running = [
    queue.run("b", first.task),
    queue.runAll(["a", "b", "c"], all.task),
    queue.run("a", later.task),
  ];
  await turn();
  expect(begun).toEqual(["first"]);
  first.end();
  await turn();
  expect(begun).toEqual(["first", "all"]);
  all.end();
  await turn();
  expect(begun).toEqual(["first", "all", "later"]);
  later.end();
  expect(await Promise.all(running)).toEqual(["first", "all", "later"]);
});

test("tasks of the same keys in opposite orders both end, also after one that failed", async () => {
  const queue = new KeyedQueue();
  const failing = queue.runAll(["a", "b"], async () => {
    throw new Error("the first one failed");
  });
  const others = [
    queue.runAll(["b", "a"], async () => "second"),
    queue.runAll(["a", "b"], async () => "third"),
    queue.run("b", async () => "fourth"),
  ];
  await expect(failing).rejects.toThrow("the first one failed");
  expect(await Promise.all(others)).toEqual(["second", "third", "fourth"]);
});

test("a key is free at once when no task waits for it any more", async () => {
  const queue = new KeyedQueue();
  await queue.runAll(["a", "b"], async () => undefined);
  await turn();
  const begun: string[] = [];
  const { task, end } = held(begun, "again");
  const running = queue.run("a", task);
  expect(begun).toEqual(["again"]);
  end();
  await running;
});

test("a task of a thousand keys takes as many promises as one of two", async () => {
  const keys = Array.from({ length: 1000 }, (_, i) => String(i));
  const count = (some: readonly string[]): Promise<number> =>
    fewestPromisesOf(() => new KeyedQueue().runAll(some, async () => undefined));
  expect(await count(keys)).toBe(await count(keys.slice(0, 2)));
});
