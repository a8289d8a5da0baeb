import { createHook } from "node:async_hooks";

/** The promises that are made until a call has answered. */
export async function promisesOf(task: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_id, type) => void (count += Number(type === "PROMISE")) });
  hook.enable();
  try {
    await task();
  } finally {
    hook.disable();
  }
  return count;
}

/** The fewest of some rounds: a busy machine may pause a long call, which takes promises of its own. */
export async function fewestPromisesOf(task: () => Promise<unknown>): Promise<number> {
  const counts = [];
  for (let round = 0; round < 20; round++) counts.push(await promisesOf(task));
  return Math.min(...counts);
}
