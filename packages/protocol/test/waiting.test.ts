import { expect, test } from "vitest";
import { KeyedQueue, mapConcurrently, outcomeUnknown, waitFor } from "@fs/protocol/async";
import { MemoryVolume } from "@fs/protocol";
import { namespaceText, VolumeBackend, VolumeError } from "@fs/protocol/author";

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

test("a change that is under way when its signal fires has its grace to answer", async () => {
  const wait = { timeoutMs: Infinity, graceMs: 20, signal: AbortSignal.abort() };
  const late = new Promise<number>((resolve) => setTimeout(() => resolve(1), 1));
  expect(await waitFor(late, wait, outcomeUnknown)).toBe(1);
  await expect(waitFor(never, wait, outcomeUnknown)).rejects.toMatchObject({ code: "aborted" });
  const short = { ...wait, timeoutMs: 1 };
  await expect(waitFor(never, short, outcomeUnknown)).rejects.toMatchObject({ code: "aborted" });
});

test("a task that fails after its wait has ended is no unhandled rejection", async () => {
  let fail: ((error: Error) => void) | undefined;
  const late = new Promise<never>((_, reject) => {
    fail = reject;
  });
  await expect(waitFor(late, { timeoutMs: 0 }, outcomeUnknown)).rejects.toMatchObject({
    code: "unavailable",
  });
  fail?.(new Error("late"));
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

/** A storage that answers no change, each of which is given up after its time. */
class SilentVolume extends MemoryVolume {
  readonly callTimeoutMs = 40;
  asked = 0;
  silent = true;
  held: Promise<void> | undefined;

  override async put(...args: Parameters<MemoryVolume["put"]>): ReturnType<MemoryVolume["put"]> {
    this.asked++;
    await this.held;
    if (!this.silent) return super.put(...args);
    await new Promise((resolve) => setTimeout(resolve, this.callTimeoutMs));
    throw outcomeUnknown("timeout");
  }
}

test("of many changes of one path a silent storage is asked twice, not by each in turn", async () => {
  const volume = new SilentVolume();
  const files = new VolumeBackend(volume).withoutHooks();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => files.write("/a.txt", `${n}`)),
  );
  // The second began a moment before its own patience was over.
  expect(volume.asked).toBeLessThanOrEqual(2);
  const [first, ...others] = answers;
  expect(first?.code).toBe("unavailable");
  for (const { code, error } of others.slice(1))
    expect([code, error]).toEqual(["timeout", expect.stringContaining("Nothing was changed")]);
  volume.silent = false;
  expect((await files.write("/a.txt", "later")).error).toBeUndefined();
});

test("a queue that goes on is waited for, however long it is", async () => {
  const queue = new KeyedQueue(1);
  const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));
  const refused = async (): Promise<never> => {
    await soon();
    throw new VolumeError("conflict");
  };
  const tasks = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? soon : refused));
  const outcomes = await Promise.allSettled(tasks.map((task) => queue.run<unknown>("a", task)));
  expect(outcomes.map((one) => (one.status === "fulfilled" ? "done" : one.reason.code))).toEqual(
    tasks.map((task) => (task === soon ? "done" : "conflict")),
  );
});

test("a move that is aborted while it waits for its turn is left out", async () => {
  const volume = new SilentVolume();
  volume.silent = false;
  const files = new VolumeBackend(volume).withoutHooks();
  await files.write("/a.txt", "one");
  let open = (): void => undefined;
  volume.held = new Promise((resolve) => {
    open = resolve;
  });
  const abort = new AbortController();
  const first = files.edit("/a.txt", "one", "two");
  await expect.poll(() => volume.asked).toBe(2);
  const moving = files.move("/a.txt", "/b.txt", { signal: abort.signal });
  await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort();
  const { code, error } = await moving;
  expect([code, error]).toEqual(["aborted", expect.not.stringContaining("may")]);
  open();
  expect(await first).toMatchObject({ occurrences: 1 });
  expect(await files.write("/a.txt", "there")).toMatchObject({ code: "already_exists" });
  expect((await files.ls("/")).files?.map(({ path }) => path)).toEqual(["/a.txt"]);
});

test("a task that comes while another of its path is under way waits for it, also after the first has ended", async () => {
  const queue = new KeyedQueue();
  let underWay = 0;
  let most = 0;
  const task = async (): Promise<void> => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 2));
    underWay--;
  };
  const first = queue.run("a", task);
  const second = queue.run("a", task);
  await first;
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([second, queue.run("a", task), queue.run("a", task)]);
  expect(most).toBe(1);
});

test("of many tasks none begins once one has failed, and those under way are waited for", async () => {
  const begun: number[] = [];
  let ended = 0;
  const tasks = mapConcurrently([0, 1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw new VolumeError("conflict");
    await new Promise((resolve) => setTimeout(resolve, 2));
    ended++;
  });
  await expect(tasks).rejects.toMatchObject({ code: "conflict" });
  expect([begun, ended]).toEqual([[0, 1], 1]);
});

test("a wait that is over keeps no timer", async () => {
  const timers = (): number =>
    process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const waits = Array.from({ length: 20 }, (_, n) =>
    waitFor(Promise.resolve(n), { timeoutMs: 600_000 }, outcomeUnknown),
  );
  await Promise.all(waits);
  expect(timers()).toBeLessThan(before + 20);
});
