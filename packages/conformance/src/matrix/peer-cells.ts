import type { Case } from "../cases/case.js";
import type { CaseContext } from "../engine/case-context.js";
import { Eyes } from "../eyes/eyes.js";
import { textOf, treeOf } from "../eyes/tree.js";
import { FileModel } from "../model/file-model.js";
import { checkAnswer } from "./check-answer.js";
import { cellId, type Row } from "./row.js";
import { stores } from "./situation-cells.js";
import { SITUATIONS, type Situation } from "./situations.js";

/** What the changes of one client meet while another looks. */
const SEEN = new Set(["text", "empty", "binary", "hidden", "directory", "missing"]);

/** A change by one client, seen by another that had looked before; and the way back. */
export function peerCells(row: Row): Case[] {
  if (row.kind !== "change") return [];
  return SITUATIONS.filter(({ id }) => SEEN.has(id)).map((situation) => ({
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
}

async function seenByPeer(context: CaseContext, row: Row, situation: Situation): Promise<void> {
  const { backend, check, profile } = context;
  const peer = await context.peer();
  const given = { ...situation.given, ...row.beside };
  await context.given(given);
  const model = new FileModel({
    overwrites: profile.writeMode === "overwrite",
    refusesCollisions: profile.collisions === "refused",
  });
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
