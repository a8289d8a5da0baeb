import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { type Answered, hasFailed } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import { awaitedLater } from "../../races/under-way.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** How often a file is looked at before it changes: more than makes it worth keeping. */
const LOOKS = 5;
/** Refusals in a row: more than a guard of a connection takes for an outage. */
const REFUSALS = 250;

/** Looks at files, and at what is around them, until a cache would keep them. */
async function lookOften(client: GuardedBackend, paths: readonly string[]): Promise<void> {
  for (const _ of range(LOOKS))
    for (const path of paths) {
      await client.read(path);
      await client.readRaw(path);
      await client.ls(path.slice(0, path.lastIndexOf("/")));
      await client.glob("*", path);
      await client.grep("content", path);
    }
}

type Change = readonly [name: string, needs: "move" | "copy" | "delete" | "transfer", made: string];

/** What is there at `/n/d` afterwards: nothing, or the content of another directory. */
const CHANGES: readonly Change[] = [
  ["delete", "delete", ""],
  ["move away", "move", ""],
  ["move over", "move", "other content\n"],
  ["copy over", "copy", "other content\n"],
  ["uploadFiles", "transfer", "other content\n"],
];

async function change(client: GuardedBackend, top: string, name: string): Promise<Answered> {
  const overwrite = { overwrite: true };
  const [d, other] = [`${top}/d`, `${top}/other`];
  if (name === "delete") return client.delete(d);
  if (name === "move away") return client.move(d, `${top}/away`);
  if (name === "move over") return client.move(other, d, overwrite);
  if (name === "copy over") return client.copy(other, d, overwrite);
  const content = encoder.encode("other content\n");
  return (await client.uploadFiles([[`${d}/deep/a.txt`, content]]))[0] ?? {};
}

/** A4, A7: a file that was read again and again is gone, or another one, once its directory is. */
async function readOften(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const changes = CHANGES.filter(([, need]) => profile[need]);
  if (changes.length === 0) throw new NotApplicable("nothing replaces or removes a file here");
  for (const [n, [name, , made]] of changes.entries()) {
    const top = `/${n}`;
    const path = `${top}/d/deep/a.txt`;
    await context.given({ [path]: "content\n", [`${top}/other/deep/a.txt`]: "other content\n" });
    await lookOften(backend, [path]);
    check.that(!hasFailed(await change(backend, top, name)), `The ${name} has failed.`);
    const after = `${show(path)} after ${name}, once it was read often`;
    const { data } = await backend.readRaw(path);
    check.equal(data?.content ?? "", made, `What readRaw gives of ${after}`, "A7");
    check.equal((await backend.read(path)).content ?? "", made, `What read gives of ${after}`);
    const { matches = [] } = await backend.grep("content", path);
    const texts = matches.map(({ text }) => `${text}\n`).join("");
    check.equal(texts, made, `What grep finds in ${after}`, "A7");
  }
}

/** A7: an upload is made, also where this client has uploaded the same before. */
async function storedAgain(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  type Store = (client: GuardedBackend, text: string) => Promise<Answered>;
  const ways: Array<readonly [name: string, store: Store]> = [
    [
      "uploadFiles",
      async (client, text) =>
        (await client.uploadFiles([["/a.txt", encoder.encode(text)]]))[0] ?? {},
    ],
    ["edit", (client, text) => client.edit("/a.txt", text === "mine" ? "theirs" : "mine", text)],
  ];
  if (profile.writeMode === "overwrite")
    ways.push(["write", (client, text) => client.write("/a.txt", text)]);
  await context.given({ "/a.txt": "theirs" });
  for (const [name, store] of ways)
    for (const who of range(6).map((n) => (n % 2 === 0 ? "mine" : "theirs"))) {
      const [client, other] = who === "mine" ? [backend, peer] : [peer, backend];
      const answer = await store(client, who);
      check.that(!hasFailed(answer), `${name} of what was stored before has failed.`);
      await context.holds({ "/a.txt": who }, other, "A7");
    }
}

/** A7: a refusal says something of a call, and nothing of the storage. */
async function refusedOften(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/a.txt": "content\n" });
  const refused: ReadonlyArray<readonly [string, () => Promise<Answered>]> = [
    ["read of a missing file", () => backend.read("/none.txt")],
    ["edit of a text that is not there", () => backend.edit("/a.txt", "none", "one")],
  ];
  for (const [what, call] of refused) {
    for (let n = 0; n < REFUSALS; n += 25) {
      const answers = await race(range(25).map(() => call));
      check.that(answers.every(hasFailed), `A ${what} succeeded.`);
    }
    const after = `after ${REFUSALS} times ${what}`;
    check.equal((await backend.read("/a.txt")).content, "content\n", `What read gives ${after}`);
    const edited = await backend.edit("/a.txt", "content", "content");
    check.succeeded(edited, `an edit ${after}`);
  }
}

/** Calls under way at once: more than connections, permits or threads. */
const CALLS = 200;

/** A8: a call that gives up while it waits takes nothing with it. */
async function abortedOften(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/d/a.txt": "content\n" });
  type Look = (options: { signal?: AbortSignal }) => Promise<Answered>;
  const lookOf = (n: number): Look => {
    if (n % 4 === 0) return (options) => backend.read("/d/a.txt", 0, 500, options);
    if (n % 4 === 1) return (options) => backend.ls("/d", options);
    if (n % 4 === 2) return (options) => backend.glob("*", "/d", options);
    return (options) => backend.grep("content", "/d", null, null, options);
  };
  for (const round of range(2)) {
    const controller = new AbortController();
    const { signal } = controller;
    const held = range(CALLS).map((n) => awaitedLater(lookOf(n)(n % 3 === 0 ? {} : { signal })));
    for (const _ of range(round * 4)) await Promise.resolve();
    controller.abort();
    await Promise.all(held);
    const answers = await race(range(CALLS).map((n) => async () => lookOf(n)({})));
    check.that(
      !answers.some(hasFailed),
      `Of ${CALLS} looks some fail after as many were aborted.`,
      "A8",
    );
  }
}

/** What happens again and again, until something is kept, taken for an outage, or used up. */
export const oftenCases: readonly Case[] = [
  {
    id: "fresh/read-often",
    rules: ["A7", "A4"],
    level: "core",
    needs: ["consistency=strong"],
    why: "What was read again and again is gone with its directory, or is what has come in its place.",
    hint: "A cache forgets what is below a path that is moved, removed or replaced, not the path alone.",
    run: readOften,
  },
  {
    id: "peer/stored-again",
    rules: ["A7", "T1"],
    level: "safe",
    needs: ["peer", "transfer", "consistency=strong", "atomicity=clients"],
    why: "What this client has stored before is stored again, because another one has changed it meanwhile.",
    hint: "Whether the storage still has what you sent last is known to the storage alone.",
    run: storedAgain,
  },
  {
    id: "refusal/often",
    rules: ["A7", "A1"],
    level: "core",
    needs: [],
    why: "Hundreds of refusals in a row keep no other call from its answer.",
    hint: "Only what is wrong with the storage may open a circuit breaker: a missing file is an answer.",
    run: refusedOften,
  },
  {
    id: "abort/often",
    rules: ["A8", "A1"],
    level: "core",
    needs: ["signals"],
    why: "Hundreds of calls that are aborted while they wait leave room for all that come after them.",
    hint: "A waiter that gives up leaves its queue, or gives the permit back that it is handed.",
    run: abortedOften,
  },
];
