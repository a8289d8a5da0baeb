import type { GuardedBackend } from "../engine/guard.js";
import type { Look } from "./looks-about.js";

/** Makes looks, all of them at once or one after the other. Returns what each answers. */
export async function askAll(
  client: GuardedBackend,
  looks: readonly Look[],
  { base, atOnce }: { base: string; atOnce: boolean },
): Promise<unknown[]> {
  const answers: Array<Promise<unknown>> = [];
  for (const { method, args } of looks) {
    const answer = client.call(method, args(base));
    if (!atOnce) await answer;
    answers.push(answer);
  }
  return Promise.all(answers);
}
