import { isPromise } from "../concurrency/maybe-promise.js";
import type { Failure, MaybePromise } from "../types/outcome.js";

/**
 * Transfers the allowed items of a batch together and answers for the others, in input order: one refusal stops nothing.
 *
 * @param check The failure of an item that must not be transferred.
 */
export async function filterBatch<Item, Response>(
  items: readonly Item[],
  check: (item: Item) => MaybePromise<Failure | undefined>,
  refuse: (item: Item, failure: Failure) => Response,
  transfer: (allowed: Item[]) => Response[] | Promise<Response[]>,
): Promise<Response[]> {
  const failures: Array<Failure | undefined> = [];
  for (const item of items) {
    // One after another, because a check may ask a human.
    const checked = check(item);
    failures.push(isPromise(checked) ? await checked : checked);
  }
  const allowed = items.filter((_, index) => failures[index] === undefined);
  const transferred = allowed.length === 0 ? [] : await transfer(allowed);
  let next = 0;
  return items.flatMap((item, index) => {
    const failed = failures[index];
    const response = failed === undefined ? transferred[next++] : refuse(item, failed);
    return response === undefined ? [] : [response];
  });
}
