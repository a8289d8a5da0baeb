import { setImmediate as turn } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import { saysUnsettled } from "../../matrix/settling.js";
import { hasTime, inTurns } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { lastingOf, momentsUnderWay, progressOf } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { beginning, during, untilBack } from "./begin-fault.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const NAMES = range(40).map((n) => `${n % 4}/${String(n).padStart(2, "0")}.txt`);

/** The files of a directory: each holds its own name. */
function treeAt(top: string): Record<string, string> {
  return Object.fromEntries(NAMES.map((name) => [`${top}/${name}`, name]));
}

/** What a storage begins to do, as sentences have it. */
const BEGAN = { fill: "have no room", cut: "be away", readOnly: "accept no changes" };

/** A7, M2: a relocation that meets a fault on the way is done, or says that it is not; nothing is lost either way. */
async function relocatedMidway(context: CaseContext, kind: "fill" | "cut"): Promise<void> {
  const { backend, check, profile } = context;
  for (const method of ["copy", "move"] as const) {
    if (!profile[method]) continue;
    const top = `/${method}`;
    await context.given(treeAt(`${top}/whole/from`));
    const first = backend[method](`${top}/whole/from`, `${top}/whole/to`);
    const lasting = await lastingOf(first);
    check.succeeded(await first, method, "M1");
    const begun = performance.now();
    for (const [n, moment] of inTurns(momentsUnderWay(lasting, 16)).entries()) {
      if (!hasTime(context, begun, n)) break;
      const [from, to] = [`${top}/${n}/from`, `${top}/${n}/to`];
      await context.given(treeAt(from));
      const call = backend[method](from, to);
      await momentOf(moment);
      const heal = await beginning(context, kind);
      const answer = await during(heal, call);
      await untilBack(context);
      const there = await context.contents(NAMES.map((name) => `${to}/${name}`));
      const left = await context.contents(NAMES.map((name) => `${from}/${name}`));
      const missing = (kept: typeof there, directory: string): string[] =>
        NAMES.filter((name) => textOf(kept.get(`${directory}/${name}`)) !== name);
      const what = `${method}, during which the storage began to ${BEGAN[kind]} after ${moment},`;
      if (!hasFailed(answer)) {
        check.equal(missing(there, to), [], `What is not there after ${what} has succeeded`, "A7");
        continue;
      }
      const gone = missing(left, from);
      const lost = gone.filter((name) => missing(there, to).includes(name));
      check.equal(method === "copy" ? gone : lost, [], `What ${what} has lost`, "M2");
      // A full storage removes: what was copied until then is taken back.
      if (kind === "fill" && gone.length === 0 && !saysUnsettled(answer.error))
        check.equal([...there.keys()], [], `What ${what} has left at the destination`, "M2");
    }
  }
}

function textOf(content: string | Uint8Array | undefined): string | undefined {
  return content instanceof Uint8Array ? decoder.decode(content) : content;
}

/** A7: what was refused for good is never done, whatever its client does afterwards. */
async function refusedForGood(context: CaseContext, kind: "readOnly" | "fill"): Promise<void> {
  const { backend, check, profile } = context;
  const path = "/d/a.txt";
  await context.given({ [path]: "first\n", "/d/b.txt": "b\n" });
  const heal = await beginning(context, kind);
  const answers: Answered[] = [];
  try {
    answers.push(await backend.write("/d/new.txt", "refused\n".repeat(50)));
    answers.push(await backend.edit(path, "first", "refused ".repeat(50)));
    const files: Array<[string, Uint8Array]> = [
      [path, encoder.encode("refused\n".repeat(50))],
      ["/d/up.txt", encoder.encode("refused\n".repeat(50))],
    ];
    answers.push(...(await backend.uploadFiles(files)));
    if (profile.copy) answers.push(await backend.copy(path, "/d/copy.txt"));
    if (kind === "readOnly") {
      if (profile.delete) answers.push(await backend.delete(path));
      if (profile.move) answers.push(await backend.move(path, "/d/moved.txt"));
    }
  } finally {
    await heal();
  }
  for (const answer of answers)
    check.that(
      hasFailed(answer),
      `A change succeeded on a storage that began to ${BEGAN[kind]}.`,
      "A10",
    );
  // Some take their refused changes along with the next one that is accepted.
  const [stored] = await backend.uploadFiles([["/other/a.txt", encoder.encode("other\n")]]);
  check.equal(stored?.error, null, "An upload once the storage accepts changes again", "A7");
  check.succeeded(await backend.write("/other/b.txt", "other\n"), "write once it does", "A7");
  check.succeeded(await backend.edit("/d/b.txt", "b", "c"), "edit once it does", "A7");
  const found = (await backend.glob("**")).files?.map((file) => file.path);
  const wanted = ["/d/a.txt", "/d/b.txt", "/other/a.txt", "/other/b.txt"];
  check.equal(found, wanted, "What is there after it", "A7");
  await context.holds({ [path]: "first\n", "/d/b.txt": "c\n" }, backend, "A7");
}

/** A7: a change whose answer is lost is not undone: another client may have built on it. */
async function builtUpon(context: CaseContext): Promise<void> {
  const { backend, profile } = context;
  const peer = await context.peer();
  const makings: ReadonlyArray<readonly [string, (path: string) => Promise<unknown>]> = [
    ["write", (path) => backend.write(path, "mine\n")],
    ["uploadFiles", (path) => backend.uploadFiles([[path, encoder.encode("mine\n")]])],
    ...(profile.copy
      ? ([["copy", (path: string) => backend.copy("/source.txt", path)]] as const)
      : []),
  ];
  await context.given({ "/source.txt": "mine\n" });
  let met = false;
  for (const [name, make] of makings) {
    const path = `/d/${name}.txt`;
    const heal = await beginning(context, "loseAnswers");
    const pending = make(path);
    const state = progressOf(pending);
    // The peer changes the file as soon as it is there, while the call still waits for its answer.
    for (let n = 0; n < 200 && !state.over; n++) {
      if (!hasFailed(await peer.read(path))) break;
      await turn();
    }
    await heal();
    await untilBack(context);
    const edited = await peer.edit(path, "mine", "theirs");
    await pending;
    if (hasFailed(edited)) continue;
    met = true;
    await context.holds({ [path]: "theirs\n" }, peer, "A7");
  }
  if (!met) throw new NotApplicable("a change whose answer is lost is never there here");
}

/** A7: a client that was cut off and is back sees what another one has changed meanwhile, whatever it had seen before. */
async function changedWhileAway(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const peer = await context.peer();
  const [path, added] = ["/d/a.txt", "/d/added.txt"];
  await context.given({ [path]: "old\n" });
  const look = async (): Promise<readonly unknown[]> => [
    (await backend.read(path)).content,
    (await backend.readRaw(path)).data?.content,
    (await backend.ls("/d")).files?.map((file) => file.path),
    (await backend.glob("**", "/d")).files?.map((file) => file.path),
    (await backend.grep("new", "/d")).matches?.map((match) => match.path),
  ];
  for (const _ of range(3)) await look();
  const change = async (): Promise<Answered[]> => [
    (await peer.uploadFiles([[path, encoder.encode("new\n")]]))[0] ?? {},
    await peer.write(added, "new\n"),
  ];
  const heal = await beginning(context, "cut");
  const changed = await change();
  await heal();
  await untilBack(context);
  // Where the fault takes the other client too, it changes the files afterwards.
  if (changed.some(hasFailed)) await change();
  const paths = [path, added];
  const expected = ["new\n", "new\n", paths, paths, paths];
  check.equal(await look(), expected, "What is seen of changes made during an outage", "A7");
}

function midwayCase(kind: "fill" | "cut"): Case {
  return {
    id: `fault/relocated-${kind === "fill" ? "full" : "cut"}-midway`,
    rules: ["A7", "M2", "M8"],
    level: "safe",
    needs: ["faults", "codes", "transfer", "consistency=strong"],
    patience: 2,
    why: "A directory on whose way the storage fails has arrived whole, or the call says that it has not; no file is lost.",
    hint: "An error of one file among many is an error of the call.",
    run: (context) => relocatedMidway(context, kind),
  };
}

function refusedCase(kind: "readOnly" | "fill"): Case {
  return {
    id: `fault/${kind === "fill" ? "no-room" : "read-only"}-is-for-good`,
    rules: ["A7", "A10"],
    level: "safe",
    needs: ["faults", "codes", "transfer"],
    patience: 2,
    why: "A change that was refused is not made later, with another one or by itself.",
    hint: "Keep nothing of a change that was answered with a refusal: its caller has decided what to do next.",
    run: (context) => refusedForGood(context, kind),
  };
}

/** What a fault leaves beside calls that go on: of this client, and of others. */
export const faultBesideCases: readonly Case[] = [
  midwayCase("fill"),
  midwayCase("cut"),
  refusedCase("readOnly"),
  refusedCase("fill"),
  {
    id: "fault/changed-while-away",
    rules: ["A7"],
    level: "safe",
    needs: ["faults", "codes", "transfer", "peer", "consistency=strong", "atomicity=clients"],
    patience: 2,
    why: "A client that was cut off sees afterwards what another one changed meanwhile.",
    hint: "Messages that keep a cache fresh are lost with the connection: empty it when you connect again.",
    run: changedWhileAway,
  },
  {
    id: "fault/built-upon",
    rules: ["A7"],
    level: "safe",
    needs: ["faults", "codes", "transfer", "peer", "consistency=strong", "atomicity=clients"],
    patience: 2,
    why: "What another client made of a change whose answer was lost stays.",
    hint: "Never undo on a guess.",
    run: builtUpon,
  },
];
