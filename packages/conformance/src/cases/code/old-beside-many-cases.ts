import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** Files of a batch: more than a byte counts, than a page lists, and than a segment of a log takes. */
const BATCH = 300;
/** Files that are created one by one before a restart, side by side: a log is renewed while some of them arrive. */
const SINGLES = 530;
const AT_ONCE = 53;
/** Milliseconds in which a storage may tidy what it has stored, before it is closed. */
const TIDYING_MS = 30;

const pathsOf = (name: string, count: number): string[] =>
  range(count).map((n) => `/many/${name}-${String(n).padStart(3, "0")}.txt`);

async function upload(
  { backend, check }: CaseContext,
  paths: readonly string[],
  text: string,
): Promise<void> {
  const stored = await backend.uploadFiles(paths.map((path) => [path, encoder.encode(text)]));
  const refused = stored.filter(({ error }) => error !== null);
  check.equal(refused, [], `What was refused of ${paths.length} uploads`, "T1");
}

/** What is removed, replaced, and left alone while much else is stored, of it `count` files one by one. Answers what is there then. */
async function storeMuch(
  context: CaseContext,
  count: number,
): Promise<Record<string, string | null>> {
  const { backend, check, profile } = context;
  const [first, second] = [pathsOf("a", BATCH), pathsOf("b", BATCH)];
  await context.given({ "/old/kept.txt": "kept\n", "/old/gone.txt": "gone\n" });
  await context.given({ "/old/replaced.txt": "one\n" });
  await upload(context, first, "same\n");
  if (profile.delete) check.succeeded(await backend.delete("/old/gone.txt"), "delete", "D1");
  await upload(context, ["/old/replaced.txt"], "two\n");
  await upload(context, first, "again\n");
  await upload(context, second, "again\n");
  const singles = pathsOf("c", count);
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = singles.slice(at, at + AT_ONCE);
    const written = await race(some.map((path) => () => backend.write(path, `${path}\n`)));
    for (const answer of written) check.succeeded(answer, "one of many writes", "W1");
  }
  return {
    "/old/kept.txt": "kept\n",
    "/old/gone.txt": profile.delete ? null : "gone\n",
    "/old/replaced.txt": "two\n",
    ...Object.fromEntries([...first, ...second].map((path) => [path, "again\n"])),
    ...Object.fromEntries(singles.map((path) => [path, `${path}\n`])),
  };
}

async function seesAll(
  context: CaseContext,
  files: Readonly<Record<string, string | null>>,
  client: GuardedBackend,
  when: string,
): Promise<void> {
  const { check } = context;
  await context.holds(files, client, "A7");
  const there = Object.keys(files).filter((path) => files[path] !== null);
  const { files: found, truncated } = await client.glob("**");
  if (truncated === true) return;
  const paths = found?.map(({ path }) => path);
  check.equal(paths, there.toSorted(), `What glob finds ${when}`, "A7");
}

/** A7, W7: what a file is does not depend on how much is stored after it, nor on how much of that goes again. */
async function oldBesideMany(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  await context.given({ "/first.txt": "one\n" });
  const { data } = await backend.readRaw("/first.txt");
  const files = await storeMuch(context, AT_ONCE);
  await seesAll(context, { ...files, "/first.txt": "one\n" }, backend, "after much was stored");
  check.succeeded(await backend.edit("/first.txt", "one", "two"), "edit of the oldest", "E1");
  const { data: edited } = await backend.readRaw("/first.txt");
  if (profile.times === "kept")
    check.equal(edited?.created_at, data?.created_at, "When the oldest was created", "W7");
  if (!profile.delete) return;
  // All but a few of those that have the same content.
  for (const path of pathsOf("a", BATCH - 10)) {
    if (context.signal.aborted) return;
    check.succeeded(await backend.delete(path), "delete of one of many", "D1");
    files[path] = null;
  }
  await seesAll(context, { ...files, "/first.txt": "two\n" }, backend, "after many were removed");
}

/** A7: and a restart finds what was there. */
async function reopenedBesideMany(context: CaseContext): Promise<void> {
  const files = await storeMuch(context, SINGLES);
  await delay(TIDYING_MS);
  await seesAll(context, files, await context.reopen(), "after a restart");
}

/** Amounts at which tables, counters, logs and their segments are full. */
export const oldBesideManyCases: readonly Case[] = [
  {
    id: "growth/old-beside-many",
    rules: ["A7", "W7", "D1"],
    level: "core",
    needs: ["transfer"],
    patience: 3,
    why: "Of hundreds of files each is what it was stored as, the oldest and those of one content too, also after most of them went.",
    hint: "A table that forgets its oldest rows, and a count of references that stops at 255, lose what is in use.",
    run: oldBesideMany,
  },
  {
    id: "durable/old-beside-many",
    rules: ["A7", "D1"],
    level: "durable",
    needs: ["durable", "reopen", "transfer"],
    patience: 3,
    why: "After many changes, some at once, a restart finds each file as it was left, and none that was removed.",
    hint: "A segment of a log that is made smaller keeps the marks of what was removed while an older one has the file; what is appended meanwhile stays.",
    run: reopenedBesideMany,
  },
];
