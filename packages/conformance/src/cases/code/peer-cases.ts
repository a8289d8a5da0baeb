import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import type { Case, Tier } from "../case.js";
import { hasFeature } from "./feature.js";

const NEEDS = ["peer", "consistency=strong", "atomicity=clients"] as const;
const encoder = new TextEncoder();

type Refused = readonly [what: string, call: () => Promise<unknown>];

/** Calls of one client that are refused, all about one file. */
function refusalsOf({ backend, profile }: CaseContext, path: string): Refused[] {
  const refusals: Refused[] = [
    ["an edit that does not match", () => backend.edit(path, "none", "x")],
    ["an edit that is not unique", () => backend.edit(path, "o", "x")],
    ["an edit of nothing", () => backend.edit(path, "", "x")],
    ["a write below it", () => backend.write(`${path}/below`, "x")],
    ["a listing of it", () => backend.ls(path)],
  ];
  if (profile.writeMode === "create")
    refusals.push(["a write over it", () => backend.write(path, "x")]);
  if (profile.versions)
    refusals.push(
      ["a write at no version", () => backend.write(path, "x", { ifVersion: "none" })],
      ["an edit at no version", () => backend.edit(path, "one", "x", false, { ifVersion: "none" })],
    );
  if (profile.multiEdit)
    refusals.push([
      "a multiEdit whose second edit does not match",
      () =>
        backend.multiEdit(path, [
          { old: "one", new: "x" },
          { old: "none", new: "y" },
        ]),
    ]);
  if (profile.signals) {
    const aborted = { signal: AbortSignal.abort() };
    refusals.push(["an aborted edit", () => backend.edit(path, "one", "x", false, aborted)]);
  }
  if (profile.move && profile.collisions === "refused")
    refusals.push([
      "a move over a directory",
      () => backend.move(path, "/kept", { overwrite: true }),
    ]);
  if (profile.copy)
    refusals.push(["a copy over another file", () => backend.copy(path, "/kept/b.txt")]);
  return refusals.filter(
    ([what]) => profile.collisions === "refused" || !what.includes("below it"),
  );
}

/** A7: what one client was refused is free for the other. */
async function refusedElsewhere(context: CaseContext): Promise<void> {
  const { check, profile } = context;
  const peer = await context.peer();
  await context.given({ "/kept/b.txt": "b\n" });
  for (const [n, [what]] of refusalsOf(context, "/").entries()) {
    const path = `/f${n}.txt`;
    await context.given({ [path]: "one two\n" });
    await refusalsOf(context, path)[n]?.[1]();
    check.succeeded(await peer.edit(path, "one", "1"), `the peer's edit after ${what}`, "A7");
    await context.holds({ [path]: "1 two\n" }, peer, "A7");
    if (profile.delete)
      check.succeeded(await peer.delete(path), `the peer's delete after ${what}`, "A7");
    if (!profile.delete) continue;
    check.succeeded(await peer.write(path, "new\n"), `the peer's write after ${what}`, "A7");
    const edited = await context.backend.edit(path, "new", "newer");
    check.succeeded(edited, `the next edit of who was refused ${what}`, "A7");
  }
}

/** R1, L5: a page is of the file, or the directory, as it is when the page is asked for. */
async function pagesInBetween(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const peer = await context.peer();
  for (const [n, size] of [3, 2000].entries()) {
    const path = `/t${n}.txt`;
    const lines = range(size).map((line) => `line ${line}\n`);
    await context.given({ [path]: lines.join("") });
    for (const offset of [0, 1]) {
      await backend.read(path, 0, 1);
      const old = `line ${size - 1}${"'".repeat(offset)}\n`;
      check.succeeded(
        await peer.edit(path, old, `line ${size - 1}${"'".repeat(offset + 1)}\n`),
        "edit",
      );
      const page = await backend.read(path, offset === 0 ? size - 1 : 1, size);
      check.that(
        String(page.content).endsWith(`line ${size - 1}${"'".repeat(offset + 1)}\n`),
        `A page of ${path} shows what was there before the peer's edit.`,
        "R1",
      );
    }
  }
  if (!hasFeature(context, "pages") || !context.profile.transfer) return;
  await context.given({ "/d/a": "a", "/d/c": "c", "/d/e": "e" });
  for (const method of ["ls", "glob"] as const) {
    const args = (options: object) => (method === "ls" ? ["/d", options] : ["**", "/d", options]);
    await backend.call(method, args({ limit: 1 }));
    const added = `/d/d-${method}`;
    check.succeeded(await peer.write(added, "new\n"), "the peer's write");
    const { files } = (await backend.call(method, args({ limit: 9, after: "/d/c" }))) as {
      files?: ReadonlyArray<{ path: string }>;
    };
    check.that(
      files?.some(({ path }) => path === added) === true,
      `The second page of ${method} shows what was there before the peer's write.`,
      "L5",
    );
  }
}

/** W2, D1: what was a directory may be a file since, and the other way round. */
async function otherKind(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  const uploaded = async (path: string): Promise<Answered> =>
    (await backend.uploadFiles([[path, encoder.encode("lost")]]))[0] ?? {};
  const changes = (below: string): Refused[] => [
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
    const after = `after the peer made it a file`;
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

/** What a client remembers, keeps or holds, beside another one. */
export const peerCases: readonly Case[] = [
  {
    id: "peer/refused-elsewhere",
    rules: ["A7", "E7"],
    level: "safe",
    needs: [...NEEDS],
    patience: 2,
    why: "A file about which one client was refused is free for the other.",
    hint: "Give back in every way out what a call has taken: a lease, a lock, a turn.",
    run: refusedElsewhere,
  },
  {
    id: "peer/pages-in-between",
    rules: ["R1", "F2", "A7", "L5"],
    level: "safe",
    needs: [...NEEDS],
    why: "A later page shows what another client has changed since the first one.",
    hint: "Keep of a file only what its version proves still to hold.",
    run: pagesInBetween,
  },
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
    id: "conc/peers-one-directory",
    rules: ["A7", "L1"],
    level: "safe",
    needs: [...NEEDS],
    why: "What two clients make in one directory at once is in every listing.",
    hint: "A directory's list of names is changed under a condition, like a file, or not kept at all.",
    run: oneDirectory,
  },
];
