import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { range } from "../../races/race.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

/** How often a file is changed before a restart, and after it. */
const CHANGES = 12;
/** The file that a restart leaves. */
const KEPT = "/kept.txt";
/** The file that is stored last before the restart, removed, and created again after it. */
const REMOVED = "/removed.txt";

/** The versions that paths have had, with what they named. */
class SeenVersions {
  readonly #contents = new Map<string, string>();
  readonly #context: CaseContext;

  constructor(context: CaseContext) {
    this.#context = context;
  }

  /** F2: takes down the version of a content, and asserts that it named no other one of this path. */
  take(path: string, version: string | undefined, content: string): void {
    const { check } = this.#context;
    check.that(version !== undefined, `No version is given of ${show(path)}.`, "F2");
    const named = this.#contents.get(`${path}\n${version}`) ?? content;
    check.equal(
      named,
      content,
      `What ${show(version)}, the version that ${show(path)} has now, named before`,
      "F2",
    );
    this.#contents.set(`${path}\n${version}`, content);
  }
}

/** F2, W5: versions of before a restart are known after it, and no content gets one that another content had. */
async function versionsOutlive(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const seen = new SeenVersions(context);
  /** Creates a file, and counts the number in it on. */
  const count = async (client: GuardedBackend, path: string, who: string): Promise<void> => {
    const written = await client.write(path, `${who} 0`);
    check.succeeded(written, `write of ${path}`, "W1");
    seen.take(path, written.version, `${who} 0`);
    await countOn(client, path, who);
  };
  const countOn = async (client: GuardedBackend, path: string, who: string): Promise<void> => {
    for (const n of range(CHANGES)) {
      const edited = await client.edit(path, `${who} ${n}`, `${who} ${n + 1}`);
      check.succeeded(edited, `edit ${n} of ${path}`, "E1");
      seen.take(path, edited.version, `${who} ${n + 1}`);
    }
  };
  await count(backend, KEPT, "old");
  const { version: last } = await backend.read(KEPT);
  await count(backend, REMOVED, "old");
  if (profile.delete) check.succeeded(await backend.delete(REMOVED), "the delete", "D1");
  const reopened = await context.reopen();
  check.equal(
    (await reopened.read(KEPT)).version,
    last,
    "The version of a file after a restart, compared with the one before it,",
    "F2",
  );
  if (profile.delete) await count(reopened, REMOVED, "new");
  const ifVersion = String(last);
  const edited = await reopened.edit(KEPT, `old ${CHANGES}`, "new 0", false, { ifVersion });
  check.succeeded(edited, "an edit with the version of before the restart", "W5");
  seen.take(KEPT, edited.version, "new 0");
  await countOn(reopened, KEPT, "new");
  const late = await reopened.edit(KEPT, "new", "late", false, { ifVersion });
  check.failed(late, "conflict", "An edit with the version of before the changes", "W5");
}

/** Versions over a restart. */
export const durableVersionCases: readonly Case[] = [
  {
    id: "durable/versions",
    rules: ["F2", "W5"],
    level: "durable",
    needs: ["durable", "reopen", "versions"],
    why: "A version outlives a restart, and no content after it gets the version that another content of the file had before, also where that file is gone.",
    hint: "Keep a counter of versions with the files, or make versions of what no restart repeats: a random text, a digest, a number of the storage.",
    run: versionsOutlive,
  },
];
