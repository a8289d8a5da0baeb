import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";

/** Calls at once: more than pools of connections, descriptors or workers have by default. */
const CALLS = 24;

/** What is called so often, each time on files of its own, and what is there afterwards. */
interface Crowd {
  readonly method: string;
  readonly call: (top: string) => Promise<Answered>;
  readonly after: (top: string) => Readonly<Record<string, string | null>>;
}

/** The files of a call that changes none. */
function kept(top: string): Record<string, string> {
  return { [`${top}/a.txt`]: "one\n" };
}

function crowdsOf({ backend, profile }: CaseContext): Crowd[] {
  const crowds: Crowd[] = [
    {
      method: "edit",
      call: (top) => backend.edit(`${top}/a.txt`, "one", "two"),
      after: (top) => ({ [`${top}/a.txt`]: "two\n" }),
    },
    {
      method: "write",
      call: (top) => backend.write(`${top}/b.txt`, "b\n"),
      after: (top) => ({ ...kept(top), [`${top}/b.txt`]: "b\n" }),
    },
    { method: "grep", call: (top) => backend.grep("one", top), after: kept },
    { method: "glob", call: (top) => backend.glob("**/*.txt", top), after: kept },
    { method: "read", call: (top) => backend.read(`${top}/a.txt`), after: kept },
  ];
  if (profile.multiEdit)
    crowds.push({
      method: "multiEdit",
      call: (top) => backend.multiEdit(`${top}/a.txt`, [{ old: "one", new: "two" }]),
      after: (top) => ({ [`${top}/a.txt`]: "two\n" }),
    });
  if (profile.delete)
    for (const [method, path] of [
      ["delete", "/a.txt"],
      ["delete of a directory", ""],
    ] as const)
      crowds.push({
        method,
        call: (top) => backend.delete(top + path),
        after: (top) => ({ [`${top}/a.txt`]: null }),
      });
  for (const method of ["move", "copy"] as const)
    if (profile[method])
      for (const [what, from, to, file] of [
        [method, "/a.txt", "/to/a.txt", "/to/a.txt"],
        [`${method} of a directory`, "", "-to", "-to/a.txt"],
      ] as const)
        crowds.push({
          method: what,
          call: (top) => backend[method](top + from, top + to),
          after: (top) => ({
            ...(method === "move" ? { [`${top}/a.txt`]: null } : kept(top)),
            [top + file]: "one\n",
          }),
        });
  return crowds;
}

async function manyAtOnce(context: CaseContext): Promise<void> {
  const { check } = context;
  for (const [n, { method, call, after }] of crowdsOf(context).entries()) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const tops = range(CALLS).map((m) => `/${n}/${m}`);
    await context.given(Object.fromEntries(tops.map((top) => [`${top}/a.txt`, "one\n"])));
    const answers = await race(tops.map((top) => () => call(top)));
    for (const answer of answers)
      check.succeeded(answer, `one of ${CALLS} calls of ${method} at once`, "A1");
    const held = Object.assign({}, ...tops.map(after)) as Record<string, string | null>;
    await context.holds(held, context.backend, "A7");
  }
}

/** More calls at once than a storage serves at once. */
export const manyAtOnceCases: readonly Case[] = [
  {
    id: "guard/many-at-once",
    rules: ["A1", "A7"],
    level: "core",
    needs: ["transfer", "consistency=strong"],
    patience: 2,
    why: `${CALLS} calls at once, each on a file of its own, all end and all do what they say.`,
    hint: "A call that holds one connection of a pool must not wait for a second one.",
    run: manyAtOnce,
  },
];
