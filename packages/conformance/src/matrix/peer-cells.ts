import type { Case } from "../cases/case.js";
import type { CaseContext } from "../engine/case-context.js";
import { Eyes } from "../eyes/eyes.js";
import { textOf, treeOf } from "../eyes/tree.js";
import { FileModel } from "../model/file-model.js";
import { checkAnswer } from "./check-answer.js";
import { cellId, type Row } from "./row.js";
import { stores } from "./situation-cells.js";
import type { Situation } from "./situation.js";
import { SITUATIONS } from "./situations.js";

/** What the changes of one client meet while another looks. */
const SEEN = new Set(["text", "empty", "binary", "hidden", "directory", "missing"]);

/** A change by one client, seen by another that had looked before; and the way back. */
export function peerCells(row: Row): Case[] {
  if (row.kind !== "change") return [];
  const seen = SITUATIONS.filter(({ id }) => SEEN.has(id)).map((situation): Case => ({
    id: cellId(row, `${situation.id}-seen-by-peer`).replace("matrix/", "peer/"),
    rules: ["A7", ...row.rules],
    level: "safe",
    needs: [
      "peer",
      "consistency=strong",
      "atomicity=clients",
      ...(row.need === undefined ? [] : [row.need]),
      ...(situation.needs ?? []),
      ...(stores(row) ? (situation.needsToStore ?? []) : []),
    ],
    why: `Another client, which had looked at everything before, sees ${row.method} at once. ${situation.why}`,
    hint: "A cache in one client must ask the storage whether it is still right.",
    run: (context) => seenByPeer(context, row, situation),
  }));
  return [...seen, ...lateCells(row)];
}

/** What another client does to the file before the call. */
const MEANWHILE = ["replaced", "removed", "added"] as const;

/** A change by a client that had looked at everything, after another has changed the file: what it knew is no longer so. */
function lateCells(row: Row): Case[] {
  if (row.kind !== "change") return [];
  return MEANWHILE.map((meanwhile) => ({
    id: cellId(row, `after-the-peer-${meanwhile}`).replace("matrix/", "peer/"),
    rules: ["A7", "E7", ...row.rules, ...(row.id === "write" ? ["W4"] : [])],
    level: "safe",
    needs: [
      "peer",
      "consistency=strong",
      "atomicity=clients",
      "transfer",
      "delete",
      ...(row.need === undefined ? [] : [row.need]),
    ],
    why: `${row.method} does what the file calls for that another client has just ${meanwhile}, not the one that was seen before.`,
    hint: "What a client knows of a file or a directory is no ground for a change: ask, or make the change conditional.",
    run: (context) => afterThePeer(context, row, meanwhile),
  }));
}

async function afterThePeer(
  context: CaseContext,
  row: Row,
  meanwhile: (typeof MEANWHILE)[number],
): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  const path = meanwhile === "added" ? "/d/new.txt" : "/d/a.txt";
  const given = {
    "/d/a.txt": "one\ntwo\n",
    "/d/b.txt": "other\n",
    "/kept.txt": "kept\n",
    ...row.beside,
  };
  await context.given(given);
  const model = FileModel.of(profile);
  for (const [file, bytes] of treeOf(given)) model.put(file, bytes);
  const eyes = new Eyes(context);
  await eyes.prime(model.files, new Map([...model.files, [path, new Uint8Array()]]));
  if (meanwhile === "removed") {
    check.succeeded(await peer.delete(path), "the peer's delete");
    model.remove(path);
  } else {
    const bytes = new TextEncoder().encode("0ne\ntwo\nof the peer\n");
    const [stored] = await peer.uploadFiles([[path, bytes]]);
    check.equal(stored?.error, null, "The error of the peer's upload");
    model.put(path, bytes);
  }
  const bytes = model.files.get(path);
  const text = bytes === undefined ? undefined : textOf(path, bytes);
  const prediction = row.predict(model, path, text);
  const answer = await backend.call(row.method, row.args(path, text));
  const what = `${row.method} of what the peer has ${meanwhile}`;
  checkAnswer(check, row, answer, prediction, what, "A7");
  await eyes.see(model.files, `after ${what}`);
  if (row.id !== "delete") return;
  // A directory is removed with what the peer has put into it.
  const [more] = await peer.uploadFiles([["/d/more.txt", new TextEncoder().encode("more\n")]]);
  check.equal(more?.error, null, "The error of the peer's upload");
  check.succeeded(await backend.delete("/d"), "delete of the directory", "D1");
  for (const file of model.below("/d")) model.remove(file);
  await eyes.see(model.files, "after the directory was removed");
}

async function seenByPeer(context: CaseContext, row: Row, situation: Situation): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  const given = { ...situation.given, ...row.beside };
  await context.given(given);
  const model = FileModel.of(profile);
  for (const [path, bytes] of treeOf(given)) model.put(path, bytes);
  const before = new Map(model.files);
  const bytes = model.files.get(situation.path);
  const text = bytes === undefined ? undefined : textOf(situation.path, bytes);
  const prediction = row.predict(model, situation.path, text);
  const mine = new Eyes(context);
  const theirs = new Eyes(context, peer);
  await theirs.prime(before, model.files);
  const answer = await backend.call(row.method, row.args(situation.path, text));
  checkAnswer(check, row, answer, prediction, row.method, "A7");
  await theirs.see(model.files, `to the peer after ${row.method}`);
  await mine.prime(model.files);
  check.succeeded(await peer.write("/from-the-peer.txt", "theirs\n"), "a write by the peer");
  model.put("/from-the-peer.txt", new TextEncoder().encode("theirs\n"));
  await mine.see(model.files, "after a write by the peer");
}
