import { setImmediate as turn } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

const BLOCK_BYTES = 65_536;
/** Blocks of a content: more than one part of an upload of 5 MiB and less than two, and less where a file may hold less. */
const BLOCKS = [100, 60, 16, 3];

/** A text of so many blocks, each of which begins with its number: none of them is like another. */
function blocksOf(count: number, owner: string): string {
  return range(count)
    .map((n) => `${owner} ${n} `.padEnd(BLOCK_BYTES - 1, String(n % 10)))
    .join("\n");
}

/** W4, A7, W3: a content that is sent in parts, or takes long, is stored as a small one is. */
async function severalMegabytes(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check, profile } = context;
  const [blocks = 1] = sizesWithin(context, BLOCKS, (count) => count * BLOCK_BYTES);
  const path = "/d/large.txt";
  const texts = ["one", "two"].map((owner) => blocksOf(blocks, owner));
  if (profile.writeMode === "create") {
    const answers = await race(
      texts.map((text, n) => () => (n === 0 ? backend : other).write(path, text)),
    );
    const won = texts.filter((_, n) => !hasFailed(answers[n] ?? {}));
    check.equal(won.length, 1, "The number of winners of two writes of megabytes", "W4");
    for (const answer of answers.filter(hasFailed))
      check.failed(answer, "already_exists", "the other write of megabytes", "W4");
    await context.holds({ [path]: won[0] ?? "" }, other, "A7");
  }
  // The last part of it is a shorter one.
  const replaced = blocksOf(blocks - 1, "three");
  const [stored] = await other.uploadFiles([[path, encoder.encode(replaced)]]);
  check.equal(stored?.error, null, "An upload of megabytes", "T1");
  await context.holds({ [path]: replaced }, backend, "T1");
  const last = `three ${blocks - 2} `;
  check.succeeded(await backend.edit(path, last, "the end "), "an edit in megabytes", "E1");
  await context.holds({ [path]: replaced.replace(last, "the end ") }, other, "E1");
}

const OLD_BYTES = 40_000;
const contentOf = (name: string): Uint8Array =>
  encoder.encode(`${name}\n`.repeat(OLD_BYTES / (name.length + 1)));

/** Stores files one after the other, so that a storage comes to tidy what it has kept so far. */
async function storeMore({ backend, check, signal }: CaseContext, name: string): Promise<void> {
  for (const n of range(24)) {
    if (signal.aborted) return;
    const path = `/more/${name}-${n}.txt`;
    const [stored] = await backend.uploadFiles([[path, contentOf(path)]]);
    check.equal(stored?.error, null, `The upload of ${path}`, "T1");
    await turn();
  }
}

/** A7, D1: what was taken away, replaced or moved stays so, however much is stored afterwards. */
async function afterMuchMore(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const names = ["deleted", "replaced", "moved", "kept"];
  await context.given(
    Object.fromEntries(names.map((name) => [`/old/${name}.txt`, contentOf(name)])),
  );
  await context.given({ "/old/replaced.txt": contentOf("new"), "/old/small.txt": "small\n" });
  check.succeeded(await backend.delete("/old/deleted.txt"), "delete", "D1");
  if (profile.move)
    check.succeeded(await backend.move("/old/moved.txt", "/new/moved.txt"), "move", "M1");
  const [from, to] = profile.move ? [null, contentOf("moved")] : [contentOf("moved"), null];
  const left = {
    "/old/deleted.txt": null,
    "/old/replaced.txt": contentOf("new"),
    "/old/small.txt": "small\n",
    "/old/moved.txt": from,
    "/new/moved.txt": to,
    "/old/kept.txt": contentOf("kept"),
  };
  for (const round of range(2)) {
    await storeMore(context, `round ${round}`);
    await context.holds(left, backend, "A7");
    const found = (await backend.glob("**", "/old")).files?.map(({ path }) => path);
    const paths = Object.entries(left).flatMap(([path, content]) =>
      content !== null && path.startsWith("/old/") ? [path] : [],
    );
    check.equal(found, paths.toSorted(), "What glob finds after much more was stored", "D1");
    check.succeeded(await backend.delete("/more"), "delete of what was stored since", "D1");
  }
}

/** Contents, and amounts, at which storages begin to send in parts, to renew a lease, to try again, and to tidy. */
export const megabyteCases: readonly Case[] = [
  ...overlapCases([
    {
      name: "several-megabytes",
      rules: ["W4", "A7", "T1", "E1"],
      needs: ["transfer"],
      why: "A content of several megabytes is created once, replaced and edited like a small one.",
      hint: "Parts are put together by their number; what takes long renews its lease, and is known again when it is sent twice.",
      run: severalMegabytes,
    },
  ]),
  {
    id: "growth/gone-stays-gone",
    rules: ["A7", "D1", "M1"],
    level: "core",
    needs: ["transfer", "delete"],
    patience: 2,
    why: "What was removed, replaced or moved stays so while megabytes are stored after it.",
    hint: "A mark of what was removed is kept as long as anything older may hold the file.",
    run: afterMuchMore,
  },
];
