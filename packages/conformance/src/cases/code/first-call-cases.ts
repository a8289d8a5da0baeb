import { setImmediate as turn } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import type { Case } from "../case.js";

/** First calls of a client: whatever it connects, sets up or loads, it does now. */
const FIRST_CALLS: ReadonlyArray<
  readonly [method: string, args: (options: object) => readonly unknown[]]
> = [
  ["ls", (options) => ["/", options]],
  ["read", (options) => ["/none.txt", 0, 10, options]],
  ["write", (options) => ["/first.txt", "first\n", options]],
  ["grep", (options) => ["first", "/", null, null, options]],
];

/** A8: what the first call was aborted with is its own business: the next one, and one beside it, are answered as ever. */
async function firstAborted(context: CaseContext): Promise<void> {
  const { check } = context;
  for (const [method, args] of FIRST_CALLS)
    for (const moment of ["before", "at once", "after a turn"]) {
      if (context.signal.aborted) return;
      const client: GuardedBackend = await context.stranger();
      const controller = new AbortController();
      if (moment === "before") controller.abort();
      const first = client.call(method, args({ signal: controller.signal }));
      const beside = client.glob("**");
      if (moment === "after a turn") await turn();
      controller.abort();
      await first;
      const what = `the first one, ${method}, was aborted ${moment}`;
      check.succeeded(await beside, `a glob beside a first call: ${what}`, "A8");
      check.succeeded(await client.ls("/"), `ls after ${what}`, "A8");
      check.succeeded(await client.write("/second.txt", "second\n"), `write after ${what}`, "A8");
      await context.holds({ "/second.txt": "second\n" }, client, "A8");
    }
}

/** A client whose first call is aborted. */
export const firstCallCases: readonly Case[] = [
  {
    id: "guard/first-call-aborted",
    rules: ["A8", "A7"],
    level: "core",
    needs: ["signals", "transfer"],
    patience: 2,
    why: "Where the first call of a client is aborted, the calls beside it and after it are answered as ever.",
    hint: "What all calls share, such as a connection, is opened under no call's signal; or it is forgotten when it fails.",
    run: firstAborted,
  },
];
