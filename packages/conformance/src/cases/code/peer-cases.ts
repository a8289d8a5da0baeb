import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const NEEDS = ["peer", "consistency=strong", "atomicity=clients"] as const;

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

/** W7: the time of creation is the file's, whichever client has made it and whichever changes it. */
async function creationTime(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const peer = await context.peer();
  const [one, two] = ["/a.txt", "/b.txt"];
  await context.given({ [one]: "1\n" });
  await context.given({ [two]: "1\n" }, peer);
  const createdAt = async (path: string) => (await backend.readRaw(path)).data?.created_at;
  const before = [await createdAt(one), await createdAt(two)];
  // Longer than a clock of hundredths: a time of now is another one.
  await delay(20);
  for (const client of [peer, backend])
    for (const path of [one, two]) {
      const { content = "" } = await client.read(path);
      const edited = await client.edit(path, String(content), `${String(content)}more\n`);
      check.succeeded(edited, `an edit of ${path}`, "E1");
    }
  const after = [await createdAt(one), await createdAt(two)];
  check.equal(after, before, "created_at after edits of both clients", "W7");
}

/** What a client remembers, keeps or holds, beside another one. */
export const peerCases: readonly Case[] = [
  {
    id: "peer/creation-time",
    rules: ["W7", "A7"],
    level: "safe",
    needs: [...NEEDS, "times=kept"],
    why: "The time of creation survives the edits of every client.",
    hint: "Keep it beside the file, not in the client that has made it.",
    run: creationTime,
  },
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
];
