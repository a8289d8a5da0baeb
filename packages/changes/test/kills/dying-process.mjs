// Processes that are killed with -9 at a step of their own. Plain JavaScript: such a process runs it as it is.
import { execFile } from "node:child_process";

/**
 * Runs tasks side by side in this process, and kills it once each has either ended or come to the step at which it is to
 * die; until then a task that came there is held where it is. So one process dies in the middle of many tasks, each at its
 * own step.
 *
 * @template T
 * @param {readonly T[]} tasks Each with the step at which it dies, `killAt`, and perhaps what another editor does at a step of
 *   it: `meanwhile()` at `meanwhileAt`.
 * @param {(task: T, step: () => Promise<void>) => Promise<void>} work Awaits `step()` before and after each call.
 */
export async function workUntilKilled(tasks, work) {
  let running = tasks.length;
  let held = 0;
  const dieWhenNoneRuns = () => {
    if (running === 0 && held > 0) process.kill(process.pid, "SIGKILL");
  };
  const run = async (task, index) => {
    let steps = 0;
    let mayGoOn = true;
    let meanwhile = Promise.resolve();
    const doneMeanwhile = async () => {
      await task.meanwhile();
      process.stdout.write(`${index} meanwhile\n`);
    };
    const step = async () => {
      const own = ++steps;
      if (own === task.meanwhileAt) meanwhile = doneMeanwhile();
      await meanwhile;
      if (mayGoOn && own === task.killAt) {
        mayGoOn = false;
        running -= 1;
        held += 1;
        dieWhenNoneRuns();
      }
      if (!mayGoOn) await new Promise(() => {});
    };
    await work(task, step);
    process.stdout.write(`${index} ${steps}\n`);
    running -= 1;
    dieWhenNoneRuns();
  };
  // Held tasks never settle; a process that is not killed ends once nothing is left to do.
  await Promise.all(tasks.map(run));
}

/**
 * Runs a script that does tasks by {@link workUntilKilled}.
 *
 * @param {string} script
 * @param {readonly object[]} tasks
 * @returns {Promise<Array<{ killed: boolean, meanwhile: boolean, steps?: number }>>} How each task ended, and whether
 *   another editor came to do what was planned.
 */
export function inDyingProcess(script, tasks) {
  if (tasks.length === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, JSON.stringify(tasks)], (error, stdout, stderr) => {
      if (error !== null && error.signal !== "SIGKILL") return reject(new Error(stderr));
      const lines = stdout.split("\n");
      const outcomes = tasks.map((_, index) => {
        const steps = lines.flatMap((line) => line.match(`^${index} (\\d+)$`)?.[1] ?? []);
        const meanwhile = lines.includes(`${index} meanwhile`);
        return steps.length === 0
          ? { killed: true, meanwhile }
          : { killed: false, meanwhile, steps: Number(steps[0]) };
      });
      if (error === null && outcomes.some(({ killed }) => killed))
        return reject(new Error(`A task never ended. ${stderr}`));
      resolve(outcomes);
    });
  });
}
