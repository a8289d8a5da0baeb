import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** A call that must be refused, by what it does. */
type Refused = readonly [what: string, call: () => Promise<unknown>];

function refusedCalls({ backend, profile }: CaseContext, directory: string): Refused[] {
  const path = `${directory}/a.txt`;
  const calls: Refused[] = [
    ["write of half a character", () => backend.write(path, "a\ud800")],
    ["write at a version of nothing", () => backend.write(path, "a", { ifVersion: "none" })],
    ["edit of a missing file", () => backend.edit(path, "a", "b")],
    ["read of a missing file", () => backend.read(path)],
    ["an aborted write", () => backend.write(path, "a", { signal: AbortSignal.abort() })],
    ["a write with an unknown option", () => backend.call("write", [path, "a", { nope: 1 }])],
    ["a write of a number", () => backend.call("write", [path, 1])],
  ];
  if (profile.multiEdit)
    calls.push([
      "multiEdit of a missing file",
      () => backend.multiEdit(path, [{ old: "a", new: "b" }]),
    ]);
  if (profile.copy) calls.push(["copy of a missing file", () => backend.copy("/none.txt", path)]);
  if (profile.move) calls.push(["move of a missing file", () => backend.move("/none.txt", path)]);
  if (profile.transfer) {
    calls.push(["upload of a text", () => backend.call("uploadFiles", [[[path, "text"]]])]);
    const conditional = [[[path, encoder.encode("a"), { ifVersion: "none" }]]];
    calls.push(["upload at a version of nothing", () => backend.call("uploadFiles", conditional)]);
  }
  return calls.filter(
    ([what]) =>
      (profile.signals || !what.includes("aborted")) &&
      (profile.versions || !what.includes("version")),
  );
}

/** D2, A7: what was refused leaves nothing, no directory on the way either. */
async function leavesNothing(context: CaseContext): Promise<void> {
  await context.given({ "/kept.txt": "kept\n" });
  const { backend, check } = context;
  const calls = ["/new", "/new/sub"].flatMap((directory) => refusedCalls(context, directory));
  for (const [n, [what, call]] of calls.entries()) {
    await call();
    const listed = (await backend.ls("/")).files?.map(({ path }) => path);
    check.equal(listed, ["/kept.txt"], `What ls lists after ${what} (${n})`, "A7");
    check.failed(await backend.ls("/new"), "not_found", `ls of the directory after ${what}`, "L4");
  }
  check.succeeded(
    await backend.write("/new", "a file\n"),
    "write where a directory would have been",
  );
  await context.holds({ "/kept.txt": "kept\n", "/new": "a file\n" });
}

/** Refusals hold no lock: what comes after them, and beside them, goes on. */
async function holdsNothing(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  await context.given({ "/a.txt": "x x start\n", "/d/b.txt": "b" });
  const refusals: Refused[] = [
    ["an edit that is not unique", () => backend.edit("/a.txt", "x", "y")],
    ["an edit that does not match", () => backend.edit("/a.txt", "none", "y")],
    ["an edit of nothing", () => backend.edit("/a.txt", "", "y")],
    ["a write over it", () => backend.write("/a.txt", "again", { ifVersion: "none" })],
    ["an edit of a missing file", () => backend.edit("/none.txt", "a", "b")],
    ["a read of a missing file", () => backend.read("/none.txt")],
    ["an edit of a directory", () => backend.edit("/d", "a", "b")],
    ["a write below a file", () => backend.write("/a.txt/b", "c")],
    ["a listing of a file", () => backend.ls("/a.txt")],
    ["a bad pattern", () => backend.glob("[", "/")],
  ];
  const aborted = { signal: AbortSignal.abort() };
  if (profile.signals)
    refusals.push(
      ["an aborted edit", () => backend.edit("/a.txt", "start", "y", false, aborted)],
      ["an aborted listing", () => backend.ls("/", aborted)],
    );
  if (profile.multiEdit)
    refusals.push([
      "a multiEdit whose second edit does not match",
      () =>
        backend.multiEdit("/a.txt", [
          { old: "start", new: "y" },
          { old: "none", new: "z" },
        ]),
    ]);
  if (profile.delete)
    refusals.push(["a delete of a missing file", () => backend.delete("/none.txt")]);
  if (profile.move)
    refusals.push(
      ["a move onto itself", () => backend.move("/a.txt", "/a.txt")],
      ["a move over a directory", () => backend.move("/a.txt", "/d", { overwrite: true })],
    );
  let text = "start";
  for (const [n, [what, call]] of refusals.entries()) {
    if (/below a file|over a directory/.test(what) && profile.collisions === "allowed") continue;
    // Beside it, and after it.
    const [, first] = await race<unknown>([
      call,
      () => backend.edit("/a.txt", text, `beside ${n}`),
    ]);
    check.succeeded(first as object, `an edit beside ${what}`, "A7");
    check.succeeded(
      await backend.edit("/a.txt", `beside ${n}`, `after ${n}`),
      `an edit after ${what}`,
      "A7",
    );
    text = `after ${n}`;
    check.that((await backend.ls("/")).error === undefined, `ls should work after ${what}.`, "A7");
  }
  check.succeeded(await backend.write("/none.txt", "new\n"), "write of what was missing");
  const edited = await backend.edit("/none.txt", "new", "newer");
  check.succeeded(edited, "edit of what was missing", "A7");
  await context.holds({ "/a.txt": `x x ${text}\n`, "/none.txt": "newer\n", "/d/b.txt": "b" });
  if (!profile.transfer || profile.content === "text") return;
  await context.given({ "/bytes.txt": Uint8Array.of(0, 1) });
  check.failed(await backend.edit("/bytes.txt", "a", "b"), "not_text", "edit of bytes", "E6");
  await backend.uploadFiles([["/bytes.txt", encoder.encode("a\n")]]);
  check.succeeded(await backend.edit("/bytes.txt", "a", "b"), "edit of what were bytes", "A7");
}

/** Calls that need the same files in opposite orders: each ends. */
async function noDeadlock(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const round of range(4)) {
    const [a, b] = [`/${round}/a.txt`, `/${round}/b.txt`];
    await context.given({ [a]: "a", [b]: "b" });
    const upload = (paths: readonly string[]): Promise<unknown> =>
      backend.uploadFiles(paths.map((path) => [path, encoder.encode(path)]));
    const calls: Array<() => Promise<unknown>> = [() => upload([a, b]), () => upload([b, a])];
    if (profile.move)
      calls.push(
        () => backend.move(a, b, { overwrite: true }),
        () => backend.move(b, a, { overwrite: true }),
      );
    if (profile.copy)
      calls.push(
        () => backend.copy(a, b, { overwrite: true }),
        () => backend.copy(b, a, { overwrite: true }),
      );
    const ended = await Promise.race([race(calls), delay(10_000, undefined, { ref: false })]);
    check.that(
      ended !== undefined,
      "Calls that need the same two files in opposite orders wait for each other forever.",
      "A7",
    );
    const texts = [...(await context.contents([a, b])).values()].map((content) =>
      typeof content === "string" ? content : new TextDecoder().decode(content),
    );
    check.that(
      texts.length > 0 && texts.every((text) => ["a", "b", a, b].includes(text)),
      `The two files should hold what was stored, but hold ${JSON.stringify(texts)}.`,
      "A7",
    );
  }
}

/** T1, W2: of two files of a batch, one below the other, one is refused. */
async function withinBatch(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const orders = [
    ["/n", "/n/b.txt"],
    ["/o/c/d.txt", "/o/c"],
    ["/p/e", "/p/x.txt", "/p/e/f/g"],
  ];
  for (const paths of orders) {
    const stored = await backend.uploadFiles(paths.map((path) => [path, encoder.encode(path)]));
    const failed = paths.filter((_, n) => stored[n]?.error != null);
    check.equal(failed.length, 1, `The files of ${paths.join(" and ")} that were refused`, "W2");
    const files = paths.map((path): [string, string | null] => [
      path,
      failed.includes(path) ? null : path,
    ]);
    await context.holds(Object.fromEntries(files), backend, "T1");
  }
}

/** What a refusal leaves behind: nothing. */
export const refusalCases: readonly Case[] = [
  {
    id: "refusal/leaves-nothing",
    rules: ["A7", "D2", "M2", "E6", "L4"],
    level: "core",
    needs: ["directories=implicit"],
    why: "A call that is refused leaves no directory where its file would have been.",
    hint: "Check everything before the first directory is made, or remove what was made.",
    run: leavesNothing,
  },
  {
    id: "refusal/holds-nothing",
    rules: ["A7", "E7"],
    level: "core",
    needs: [],
    why: "A call that is refused keeps no lock and no queue: what runs beside it and after it goes on.",
    hint: "Release in `finally`; a queue must survive what one of its tasks throws.",
    run: holdsNothing,
  },
  {
    id: "upload/collision-within-batch",
    rules: ["W2", "T1"],
    level: "core",
    needs: ["transfer", "collisions=refused"],
    why: "Two files of one batch cannot be each above and below the other: one is refused, the rest is stored.",
    hint: "The storage has seen neither when the batch is checked.",
    run: withinBatch,
  },
  {
    id: "conc/opposite-orders",
    rules: ["A7", "T1", "M1"],
    level: "safe",
    needs: ["transfer", "consistency=strong"],
    why: "Uploads, moves and copies of the same two files in opposite orders all end, and leave whole files.",
    hint: "Take locks in one order, such as that of the paths, or hold none across two files.",
    run: noDeadlock,
  },
];
