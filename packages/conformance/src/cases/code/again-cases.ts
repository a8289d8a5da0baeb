import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";

const encoder = new TextEncoder();
const PATH = "/d/a.txt";
const OTHER = "/d/other.txt";

/** A change that leaves another content at the path, or none. */
interface Change {
  readonly name: string;
  /** The flags of the profile that it needs. */
  readonly needs: ReadonlyArray<"delete" | "move" | "copy" | "multiEdit">;
  run(context: CaseContext): Promise<unknown>;
}

const CHANGES: readonly Change[] = [
  { name: "edit", needs: [], run: async ({ backend }) => backend.edit(PATH, "one", "two") },
  {
    name: "multiEdit",
    needs: ["multiEdit"],
    run: async ({ backend }) => backend.multiEdit(PATH, [{ old: "one", new: "two" }]),
  },
  {
    name: "an upload of something else",
    needs: [],
    run: async ({ backend }) => backend.uploadFiles([[PATH, encoder.encode("two\n")]]),
  },
  { name: "delete", needs: ["delete"], run: async ({ backend }) => backend.delete(PATH) },
  {
    name: "delete of its directory",
    needs: ["delete"],
    run: async ({ backend }) => backend.delete("/d"),
  },
  {
    name: "a move elsewhere",
    needs: ["move"],
    run: async ({ backend }) => backend.move(PATH, "/elsewhere.txt"),
  },
  {
    name: "a move over it",
    needs: ["move"],
    run: async (context) => over(context, "move"),
  },
  {
    name: "a copy over it",
    needs: ["copy"],
    run: async (context) => over(context, "copy"),
  },
];

async function over({ backend }: CaseContext, method: "move" | "copy"): Promise<void> {
  await backend.uploadFiles([[OTHER, encoder.encode("two\n")]]);
  await backend[method](OTHER, PATH, { overwrite: true });
}

/** The changes that the backend offers. */
function offered({ profile }: CaseContext): readonly Change[] {
  return CHANGES.filter(({ needs }) => needs.every((need) => profile[need]));
}

async function clear({ backend, profile }: CaseContext): Promise<boolean> {
  if (!profile.delete) return false;
  for (const top of ["/d", "/elsewhere.txt"]) await backend.delete(top);
  return true;
}

/** T1: an upload stores, whatever was uploaded there before. */
async function sameUpload(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const { name, run } of offered(context)) {
    await context.given({ [PATH]: "one\n" });
    const bytes = encoder.encode("one\n");
    for (const time of ["first", "second", "third"]) {
      const [stored] = await backend.uploadFiles([[PATH, bytes]]);
      const what = `The error of the ${time} upload of the same bytes, ${name} in between`;
      check.equal(stored?.error, null, what, "T1");
      await context.holds({ [PATH]: "one\n" }, backend, "T1");
      if (time !== "third") await run(context);
    }
    if (!(await clear(context))) return;
  }
}

/** F2 and W5: whatever brings another content brings another version, and the one before is refused. */
async function otherVersion(context: CaseContext): Promise<void> {
  requireFeature(context, "versions");
  const { backend, check, profile } = context;
  for (const { name, run } of offered(context)) {
    await context.given({ [PATH]: "one\n" });
    const { version: before } = await backend.read(PATH);
    if (before === undefined) throw new NotApplicable("read gives no 'version' of this file");
    await run(context);
    const after = await backend.read(PATH);
    if (after.error === undefined) {
      check.that(
        after.version !== before,
        `After ${name} the file holds something else, but has the version that it had before.`,
        "F2",
      );
      const late = await backend.edit(PATH, "two", "late", false, { ifVersion: before });
      check.failed(late, "conflict", `edit at the version before ${name}`, "W5");
      await context.holds({ [PATH]: "two\n" }, backend, "W5");
      if (profile.delete) {
        const gone = await backend.delete(PATH, { ifVersion: before });
        check.failed(gone, "conflict", `delete at the version before ${name}`, "W5");
      }
    }
    if (!(await clear(context))) return;
  }
}

/** What was done once is done again after something else came in between. */
export const againCases: readonly Case[] = [
  {
    id: "upload/same-bytes-again",
    rules: ["T1"],
    level: "core",
    needs: ["transfer"],
    patience: 3,
    why: "An upload of the bytes that were uploaded there before stores them again, whatever changed the file since.",
    hint: "What a client sent last says nothing about what is stored now.",
    run: sameUpload,
  },
  {
    id: "version/of-every-change",
    rules: ["F2", "W5"],
    level: "core",
    needs: ["versions", "transfer"],
    patience: 3,
    why: "Whatever brings another content brings another version, a move and a copy over the file too; the one before is refused.",
    hint: "The version belongs to the content at the path: it changes with it, whichever method stores it.",
    run: otherVersion,
  },
];
