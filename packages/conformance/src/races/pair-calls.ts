import type { CaseContext } from "../engine/case-context.js";
import { hasFailed, type Answered } from "../engine/checker.js";
import type { GuardedBackend } from "../engine/guard.js";
import { FileModel, type Verdict } from "../model/file-model.js";
import { editedText } from "../model/text-rules.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What is there before two calls meet, below the directory of their round. */
export const BEFORE = {
  "/d/a.txt": "one two\n",
  "/d/stay.txt": "stays\n",
  "/o/b.txt": "other\n",
} as const;

/** A change below the directory of a round, and what it does to a model of it. */
export interface PairChange {
  readonly name: string;
  readonly call: (client: GuardedBackend, top: string) => Promise<Answered>;
  readonly on: (model: FileModel, top: string) => Verdict;
  /** Of a move over a file: stores what it has moved at its destination once more (M9). */
  readonly storeAgain?: (model: FileModel, top: string) => void;
}

function putTo(path: string, text: string): PairChange["on"] {
  return (model, top) => {
    model.put(top + path, encoder.encode(text));
    return undefined;
  };
}

function editOf(old: string, to: string): PairChange["on"] {
  return (model, top) => {
    const bytes = model.files.get(`${top}/d/a.txt`);
    if (bytes === undefined) return ["not_found"];
    const verdict = editedText(decoder.decode(bytes), old, to, false);
    if ("code" in verdict) return [verdict.code];
    model.put(`${top}/d/a.txt`, encoder.encode(verdict.text));
    return undefined;
  };
}

async function onlyOf(items: Promise<Answered[]>): Promise<Answered> {
  return (await items)[0] ?? {};
}

/** A file goes, or is copied, to where nothing is, or over one. */
function relocation(method: "move" | "copy", from: string, to: string): PairChange {
  const over = to in BEFORE;
  return {
    name: `${method} ${over ? `over ${to}` : `of ${from}`}`,
    ...(method === "move" &&
      over && {
        storeAgain: (model: FileModel, top: string) =>
          model.put(top + to, encoder.encode(BEFORE["/o/b.txt"])),
      }),
    call: (client, top) =>
      client[method](top + from, top + to, ...(over ? [{ overwrite: true }] : [])),
    on: (model, top) => {
      const how = { move: method === "move", overwrite: over };
      // Between two steps of a move the file is at both places: which of them is looked at first is not said.
      return model.relocate(top + from, top + to, how) && ["not_found", "already_exists"];
    },
  };
}

/** The changes that a backend has, each of `/d/a.txt` or of what is around it. */
export function changesIn({ profile }: CaseContext): PairChange[] {
  const changes: PairChange[] = [
    {
      name: "write of it",
      call: (client, top) => client.write(`${top}/d/a.txt`, "written\n"),
      on: (model, top) => model.write(`${top}/d/a.txt`, encoder.encode("written\n")),
    },
    {
      name: "write of another file",
      call: (client, top) => client.write(`${top}/d/new.txt`, "new\n"),
      on: (model, top) => model.write(`${top}/d/new.txt`, encoder.encode("new\n")),
    },
    {
      name: "edit",
      call: (client, top) => client.edit(`${top}/d/a.txt`, "one", "1"),
      on: editOf("one", "1"),
    },
    {
      name: "uploadFiles",
      call: (client, top) =>
        onlyOf(client.uploadFiles([[`${top}/d/a.txt`, encoder.encode("one two up\n")]])),
      on: putTo("/d/a.txt", "one two up\n"),
    },
  ];
  if (profile.multiEdit)
    changes.push({
      name: "multiEdit",
      call: (client, top) => client.multiEdit(`${top}/d/a.txt`, [{ old: "two", new: "2" }]),
      on: editOf("two", "2"),
    });
  if (profile.delete)
    for (const [name, path] of [
      ["delete", "/d/a.txt"],
      ["delete of its directory", "/d"],
    ] as const)
      changes.push({
        name,
        call: (client, top) => client.delete(top + path),
        on: (model, top) => model.remove(top + path),
      });
  for (const method of ["move", "copy"] as const)
    if (profile[method])
      changes.push(
        relocation(method, "/d/a.txt", `/e/${method}.txt`),
        relocation(method, "/o/b.txt", "/d/a.txt"),
      );
  return changes;
}

/** What two calls may leave behind, each done whole, or refused as its answer says. */
export interface Outcome {
  /** The names of the calls in the order that explains them. */
  readonly order: string;
  readonly model: FileModel;
}

/** A call that was under way at once with another one, and its answer. */
export interface Met {
  readonly change: PairChange;
  readonly answer: Answered;
}

/**
 * The outcomes that explain the answers of two calls that were under way at once: one after the other, in either order. A call
 * may be refused with `conflict`, or without a code where there are none, and then has changed nothing.
 *
 * @param seemsOne Whether a move whose copy was removed may be made all the same, refused with `conflict`, and have stored its
 * content once more (M9).
 */
export function outcomesOf(
  { profile }: CaseContext,
  top: string,
  calls: readonly Met[],
  seemsOne: boolean,
): Outcome[] {
  const isRefused = ({ answer }: Met): boolean =>
    hasFailed(answer) && (!profile.codes || answer.code === "conflict");
  const again = seemsOne ? calls.filter((met) => met.change.storeAgain && isRefused(met)) : [];
  return [calls, calls.toReversed()].flatMap((order) =>
    [undefined, ...again].flatMap((stored) => {
      const model = FileModel.of(profile);
      for (const [path, text] of Object.entries(BEFORE))
        model.put(top + path, encoder.encode(text));
      const explained = order.every((met) => {
        const { change, answer } = met;
        if (isRefused(met) && met !== stored) return true;
        const verdict = change.on(model, top);
        const isMade = met === stored || !hasFailed(answer);
        return isMade ? verdict === undefined : (verdict?.includes(String(answer.code)) ?? false);
      });
      stored?.change.storeAgain?.(model, top);
      const names = order.map(({ change }) => change.name).join(", then ");
      return explained ? [{ order: names, model }] : [];
    }),
  );
}
