import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { MOMENTS, momentOf } from "../../races/moments.js";
import { race, range } from "../../races/race.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case, Tier } from "../case.js";

const NEEDS = ["peer", "consistency=strong", "atomicity=clients"] as const;
const encoder = new TextEncoder();

type Change = readonly [what: string, call: () => Promise<unknown>];

/** W2, D1: what was a directory may be a file since, and the other way round. */
async function otherKind(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  const uploaded = async (path: string): Promise<Answered> =>
    (await backend.uploadFiles([[path, encoder.encode("lost")]]))[0] ?? {};
  const changes = (below: string): Change[] => [
    ["write", () => backend.write(below, "lost")],
    ["uploadFiles", () => uploaded(below)],
    ...(profile.copy ? [["copy", () => backend.copy("/kept.txt", below)] as const] : []),
    ...(profile.move ? [["move", () => backend.move("/kept.txt", below)] as const] : []),
  ];
  await context.given({ "/kept.txt": "kept\n" });
  for (const [n, [method]] of changes("/").entries()) {
    const directory = `/d${n}/sub`;
    // Made by this client, which may remember it.
    check.succeeded(await backend.write(`${directory}/x.txt`, "x"), "a write");
    check.succeeded(await backend.write(`${directory}/deep/y.txt`, "y"), "a write");
    await backend.ls(directory);
    check.succeeded(await peer.delete(directory), "the peer's delete");
    check.succeeded(await peer.write(directory, "a file now\n"), "the peer's write");
    for (const below of [`${directory}/new.txt`, `${directory}/deep/new.txt`]) {
      const answer = (await changes(below)[n]?.[1]()) as Answered;
      const what = `${method} below what the peer has made a file`;
      check.that(hasFailed(answer), `${what} should have failed.`, "W2");
    }
    const after = "after the peer made it a file";
    check.failed(await backend.ls(directory), "not_directory", `ls of a directory ${after}`, "L4");
    await context.holds({ [directory]: "a file now\n", "/kept.txt": "kept\n" });
    check.succeeded(await peer.delete(directory), "the peer's delete");
    check.succeeded(await peer.write(`${directory}/z.txt`, "z"), "the peer's write");
    const over = await backend.write(directory, "lost");
    check.failed(over, "is_directory", "write over what the peer made a directory again", "W2");
    const listed = (await backend.ls(directory)).files?.map(({ path }) => path);
    check.equal(listed, [`${directory}/z.txt`], "What ls lists of it", "L1");
  }
}

/** What two creations must be apart to be seen where times are kept that finely, in milliseconds. */
const APART_MS = 20;

/** A7, L1: what this client took away is there again once another has made it. */
async function madeAnew(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  const goings: ReadonlyArray<readonly [name: string, go: (path: string) => Promise<Answered>]> = [
    ["delete", (path) => backend.delete(path)],
    ["the peer's own delete", (path) => peer.delete(path)],
    ["delete of its directory", (path) => backend.delete(path.slice(0, path.lastIndexOf("/")))],
    ...(profile.move
      ? [["move", (path: string) => backend.move(path, `${path}.moved`)] as const]
      : []),
  ];
  for (const [n, [going, go]] of goings.entries()) {
    const path = `/g${n}/a.txt`;
    check.succeeded(await backend.write(path, "old\n"), "a write");
    await backend.ls(`/g${n}`);
    await backend.readRaw(path);
    check.succeeded(await go(path), going, "D1");
    await delay(APART_MS);
    check.succeeded(await peer.write(path, "hit\n"), "the peer's write");
    const what = `what the peer made anew after ${going}`;
    const pathsIn = (entries?: ReadonlyArray<{ path: string }>) =>
      entries?.map((entry) => entry.path).filter((entry) => entry === path);
    check.equal(pathsIn((await backend.ls(`/g${n}`)).files), [path], `ls of ${what}`, "L1");
    check.equal(pathsIn((await backend.glob("**")).files), [path], `glob of ${what}`, "G1");
    check.equal(pathsIn((await backend.grep("hit")).matches), [path], `grep of ${what}`, "S1");
    check.equal((await backend.read(path)).content, "hit\n", `read of ${what}`, "A7");
    const made = (await peer.readRaw(path)).data?.created_at;
    check.succeeded(await backend.edit(path, "hit", "mine"), `edit of ${what}`, "A7");
    if (profile.times !== "kept") continue;
    const { data } = await backend.readRaw(path);
    check.equal(data?.created_at, made, `created_at of ${what}, once it is edited`, "W7");
  }
}

const ROUNDS: Readonly<Record<Tier, number>> = { quick: 8, full: 40, soak: 200 };

/** A7, L1: each of two clients' new files is in every listing, also where they make one directory at once, or remove beside it. */
async function oneDirectory(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  for (const round of range(ROUNDS[context.tier])) {
    if (context.signal.aborted) return;
    const directory = `/r${round}/${"sub/".repeat(round % 3)}d`;
    if (round % 2 === 1)
      await context.given({ [`${directory}/0.txt`]: "0", [`${directory}/9.txt`]: "9" });
    const make = (client: GuardedBackend, name: string) => () =>
      client.write(`${directory}/${name}.txt`, name);
    const removes = round % 2 === 1 && profile.delete;
    const answers = await race<Answered>([
      make(backend, "a"),
      make(peer, "b"),
      make(backend, "c"),
      make(peer, "d"),
      ...(removes ? [() => peer.delete(`${directory}/9.txt`)] : []),
    ]);
    for (const answer of answers)
      check.succeeded(answer, "a change of one file beside others", "A7");
    const names = ["a", "b", "c", "d"];
    if (round % 2 === 1) names.unshift("0", ...(removes ? [] : ["9"]));
    const paths = names.map((name) => `${directory}/${name}.txt`);
    for (const [client, who] of [
      [backend, "one client"],
      [peer, "the other"],
    ] as const) {
      const listed = (await client.ls(directory)).files?.map(({ path }) => path);
      check.equal(listed, paths, `What ls lists to ${who} after round ${round}`, "A7");
      const found = (await client.glob("*", directory)).files?.map(({ path }) => path);
      check.equal(found, paths, `What glob finds for ${who} after round ${round}`, "A7");
    }
  }
}

/** Moments of the removal of the last file at which another one comes. */
const SHARES = 6;

/** A7, L1: a directory whose last file goes while another file comes is there, and is listed. */
async function lastAndNew(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  type Go = (above: string) => Promise<Answered>;
  const goings: ReadonlyArray<readonly [name: string, go: Go]> = [
    ["delete", (above) => backend.delete(`${above}/d/last.txt`)],
    ...(profile.move
      ? [
          [
            "move",
            (above: string) => backend.move(`${above}/d/last.txt`, `${above}-moved`),
          ] as const,
        ]
      : []),
  ];
  for (const [n, [name, go]] of goings.entries()) {
    await context.given({ [`/whole${n}/d/last.txt`]: "x" });
    const first = go(`/whole${n}`);
    const lasting = await lastingOf(first);
    check.succeeded(await first, name, "D1");
    const moments = [...momentsUnderWay(lasting, SHARES), ...MOMENTS];
    for (const [m, moment] of moments.entries()) {
      if (context.signal.aborted) return;
      const above = `/r${n}-${m}`;
      await context.given({ [`${above}/d/last.txt`]: "x" });
      const going = go(above);
      await momentOf(moment);
      const written = await (m % 2 === 0 ? peer : backend).write(`${above}/d/new.txt`, "new");
      check.succeeded(await going, `${name} of the last file of a directory`, "A7");
      check.succeeded(written, "a write beside it", "A7");
      const listed = (await backend.ls(above)).files?.map(({ path }) => path);
      check.equal(
        listed,
        [`${above}/d/`],
        `What ls lists above, after ${name} of the last file`,
        "L1",
      );
      const within = (await backend.ls(`${above}/d`)).files?.map(({ path }) => path);
      check.equal(
        within,
        [`${above}/d/new.txt`],
        `What ls lists after ${name} of the last file`,
        "L1",
      );
      const found = (await backend.glob("**", above)).files?.map(({ path }) => path);
      check.equal(
        found,
        [`${above}/d/new.txt`],
        `What glob finds after ${name} of the last file`,
        "A7",
      );
    }
  }
}

/** Directories that two clients change. */
export const peerDirectoryCases: readonly Case[] = [
  {
    id: "peer/other-kind",
    rules: ["W2", "A7", "L4", "D1"],
    level: "safe",
    needs: [...NEEDS, "delete", "transfer", "collisions=refused"],
    why: "A directory that another client has made a file is one to every method, and the other way round.",
    hint: "That a directory was there once is no proof: look again, or make it part of the condition.",
    run: otherKind,
  },
  {
    id: "peer/made-anew",
    rules: ["A7", "L1", "G1", "S1", "W7"],
    level: "safe",
    needs: [...NEEDS, "delete"],
    why: "What one client removed or moved away is in all of its views once another has made it anew.",
    hint: "What this client has removed is no longer its business: ask the storage.",
    run: madeAnew,
  },
  {
    id: "conc/last-of-a-directory-and-new",
    rules: ["A7", "L1", "D2"],
    level: "safe",
    needs: [...NEEDS, "delete"],
    patience: 2,
    why: "A directory whose last file goes while another one comes is listed, with the new file.",
    hint: "Removing a directory's own record, and seeing that it is empty, are one step.",
    run: lastAndNew,
  },
  {
    id: "conc/peers-one-directory",
    rules: ["A7", "L1"],
    level: "safe",
    needs: [...NEEDS],
    why: "What two clients make in one directory at once is in every listing.",
    hint: "A directory's list of names is changed under a condition, like a file, or not kept at all.",
    run: oneDirectory,
  },
];
