import { expect, test } from "vitest";
import { KeyedQueue, outcomeUnknown, waitFor } from "@fs/protocol/async";
import { namespaceText } from "@fs/protocol/author";

const never = new Promise<never>(() => undefined);

test("a wait ends with its answer, its signal or its time, whichever is first, and gives up once", async () => {
  const reasons: string[] = [];
  const giveUp = (why: "aborted" | "timeout"): ReturnType<typeof outcomeUnknown> => {
    reasons.push(why);
    return outcomeUnknown(why);
  };
  const abort = new AbortController();
  expect(await waitFor(Promise.resolve(1), { timeoutMs: Infinity }, giveUp)).toBe(1);
  await expect(waitFor(never, { timeoutMs: 0 }, giveUp)).rejects.toMatchObject({
    code: "unavailable",
    detail: expect.stringContaining("may or may not"),
  });
  const waiting = waitFor(never, { timeoutMs: 60_000, signal: abort.signal }, giveUp);
  abort.abort();
  await expect(waiting).rejects.toMatchObject({
    code: "aborted",
    detail: expect.stringContaining("may or may not"),
  });
  await expect(
    waitFor(Promise.resolve(2), { timeoutMs: 1, signal: abort.signal }, giveUp),
  ).rejects.toMatchObject({ code: "aborted" });
  expect(reasons).toEqual(["timeout", "aborted", "aborted"]);
});

test("a task that fails after its wait has ended is no unhandled rejection", async () => {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("late")), 5));
  await expect(waitFor(late, { timeoutMs: 0 }, outcomeUnknown)).rejects.toMatchObject({
    code: "unavailable",
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
});

test("a signal takes a task out of the queue before it begins, and the others keep their order", async () => {
  const queue = new KeyedQueue();
  const order: string[] = [];
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = queue.run("a", async () => {
    await gate;
    order.push("first");
  });
  const abort = new AbortController();
  const second = queue.run("a", async () => void order.push("second"), abort.signal);
  const third = queue.run("a", async () => void order.push("third"));
  abort.abort();
  await expect(second).rejects.toMatchObject({ code: "aborted" });
  expect(order).toEqual([]);
  open?.();
  await Promise.all([first, third]);
  expect(order).toEqual(["first", "third"]);
});

test("no two namespaces have one text", () => {
  const namespaces = ["a", "a/b", ["a", "b"], ["a%2Fb"], "a%2Fb", "{a}", " ", ["a", "b", "c"]];
  const texts = namespaces.map(namespaceText);
  // A list of one name is that name.
  expect(new Set(texts).size).toBe(namespaces.length - 1);
  for (const wrong of ["", [], ["a", ""], "a\0", "\ud800"])
    expect(() => namespaceText(wrong)).toThrow(TypeError);
});
