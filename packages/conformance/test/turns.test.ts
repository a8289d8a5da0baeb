import { expect, test } from "vitest";
import { Turns } from "../src/engine/turns.js";

/** Tasks that record when they begin, and end when the test ends them. */
class Tasks {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, (error?: Error) => void>();

  readonly of = (name: string) => (): Promise<string> => {
    this.begun.push(name);
    return new Promise((resolve, reject) => {
      this.#ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
    });
  };

  async end(name: string, error?: Error): Promise<void> {
    this.#ends.get(name)?.(error);
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("as many tasks share as the width allows, and the next begins when one ends", async () => {
  const [turns, tasks] = [new Turns(2), new Tasks()];
  const all = ["a", "b", "c"].map((name) => turns.shared(tasks.of(name)));
  await turn();
  expect(tasks.begun).toEqual(["a", "b"]);
  await tasks.end("b");
  expect(tasks.begun).toEqual(["a", "b", "c"]);
  await tasks.end("a");
  await tasks.end("c");
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
});

test("a task that runs alone waits for all before it, and all after it wait", async () => {
  const [turns, tasks] = [new Turns(4), new Tasks()];
  const all = [
    turns.shared(tasks.of("a")),
    turns.exclusive(tasks.of("alone")),
    turns.exclusive(tasks.of("alone too")),
    turns.shared(tasks.of("b")),
    turns.shared(tasks.of("c")),
  ];
  await turn();
  expect(tasks.begun).toEqual(["a"]);
  await tasks.end("a");
  expect(tasks.begun).toEqual(["a", "alone"]);
  await tasks.end("alone");
  expect(tasks.begun).toEqual(["a", "alone", "alone too"]);
  await tasks.end("alone too");
  expect(tasks.begun.slice(3)).toEqual(["b", "c"]);
  await tasks.end("b");
  await tasks.end("c");
  await Promise.all(all);
});

test("a task that fails gives its place back", async () => {
  const [turns, tasks] = [new Turns(1), new Tasks()];
  const failing = turns.shared(tasks.of("a")).then(
    () => "done",
    (error: unknown) => String(error),
  );
  const next = turns.exclusive(tasks.of("b"));
  await turn();
  await tasks.end("a", new Error("broken"));
  expect(await failing).toBe("Error: broken");
  expect(tasks.begun).toEqual(["a", "b"]);
  await tasks.end("b");
  expect(await next).toBe("b");
});

test("a task is told whether others ran at any time of it, also if they have ended", async () => {
  const [turns, tasks] = [new Turns(2), new Tasks()];
  const told: boolean[] = [];
  const asking = (name: string) => async (crowded: () => boolean) => {
    await tasks.of(name)();
    told.push(crowded());
  };
  const all: Array<Promise<unknown>> = [turns.shared(asking("a")), turns.shared(tasks.of("b"))];
  await turn();
  await tasks.end("b");
  await tasks.end("a");
  all.push(turns.shared(asking("alone")));
  await turn();
  await tasks.end("alone");
  all.push(turns.shared(asking("first")));
  await turn();
  all.push(turns.shared(tasks.of("second")));
  await turn();
  await tasks.end("second");
  await tasks.end("first");
  await Promise.all(all);
  expect(told).toEqual([true, false, true]);
});
