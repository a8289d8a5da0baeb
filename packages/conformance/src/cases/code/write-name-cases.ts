import { NotApplicable } from "../../engine/check-failure.js";
import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

interface Named {
  readonly writeId?: unknown;
}

/** The name of the write that an upload made. */
async function uploaded(context: CaseContext, path: string, text: string): Promise<unknown> {
  const [stored] = await context.backend.uploadFiles([[path, encoder.encode(text)]]);
  context.check.equal(stored?.error, null, `The upload of ${JSON.stringify(text)}`, "T1");
  return (stored as Named | undefined)?.writeId;
}

/** What every method that shows the name of the write says of a file. */
async function shown(context: CaseContext, path: string): Promise<ReadonlyMap<string, unknown>> {
  const { backend } = context;
  const { info } = (await backend.call("stat", [path])) as { info?: Named };
  const [fetched] = await backend.downloadFiles([path]);
  return new Map([
    ["stat", info?.writeId],
    ["downloadFiles", (fetched as Named | undefined)?.writeId],
  ]);
}

/** M6: the name of a write is of that write alone, and is shown until another one has stored the file. */
async function namesOneWrite(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const [path, other] = ["/a.txt", "/b.txt"];
  const seen = new Map<unknown, string>();
  const note = (name: unknown, what: string): void => {
    check.that(
      typeof name === "string" && name !== "",
      `${what} should name its write, but gives ${JSON.stringify(name)}.`,
      "M6",
    );
    check.that(
      !seen.has(name),
      `${what} has the name ${JSON.stringify(name)}, as ${seen.get(name)} had.`,
      "M6",
    );
    seen.set(name, what);
  };
  const require = async (of: string, name: unknown, what: string): Promise<void> => {
    for (const [method, showing] of await shown(context, of))
      if (method === "stat" || showing !== undefined)
        check.equal(showing, name, `The 'writeId' that ${method} gives after ${what}`, "M6");
  };
  for (const [at, text, what] of [
    [path, "same", "the first upload"],
    [path, "same", "an upload of the same content"],
    [other, "same", "an upload of it to another path"],
    [path, "else", "an upload of another content"],
    [path, "same", "an upload of the first content again"],
  ] as const) {
    const name = await uploaded(context, at, text);
    if (name === undefined && seen.size === 0)
      throw new NotApplicable("uploadFiles gives no 'writeId'");
    note(name, what);
    await require(at, name, what);
  }
  check.succeeded(await backend.edit(path, "same", "edited"), "edit", "E1");
  const { info } = (await backend.call("stat", [path])) as { info?: Named };
  note(info?.writeId, "an edit");
}

/** The names of writes, where a storage has them. */
export const writeNameCases: readonly Case[] = [
  {
    id: "version/names-of-writes",
    rules: ["M6"],
    level: "core",
    needs: ["transfer", "stat"],
    why: "A 'writeId' names one write and no other, also of the same content, and is shown until the next one.",
    hint: "Draw a name for each write, and store it with the file in the same step.",
    run: namesOneWrite,
  },
];
