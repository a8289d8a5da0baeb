import type { FileUploadResponse } from "@fs/protocol";
import type { CaseContext, Content } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import type { Case } from "../case.js";
import { contentText } from "./pair-looks.js";
import { AWAY, beginning, during } from "./begin-fault.js";

const encoder = new TextEncoder();
type Kind = readonly [end: string, content: Content];
const TEXT: Kind = [".txt", "text\n"];
const PICTURE: Kind = [".png", encoder.encode("picture\n")];
const WITHOUT_END: Kind = ["", "text\n"];
const BYTES: Kind = [".bin", Uint8Array.of(0, 0xff)];
const PAIRS = [
  [TEXT, PICTURE],
  [PICTURE, TEXT],
  [TEXT, BYTES],
  [BYTES, WITHOUT_END],
  [WITHOUT_END, PICTURE],
] as const;

async function store(
  { backend, check }: CaseContext,
  files: Readonly<Record<string, Content>>,
): Promise<void> {
  const bytes = Object.entries(files).map(([path, content]): [string, Uint8Array] => [
    path,
    typeof content === "string" ? encoder.encode(content) : content,
  ]);
  for (const { path, error } of await backend.uploadFiles(bytes))
    check.equal(error, null, `The upload of ${path}`, "T1");
}

/** W2, M1, A7: what a file is by its name, or holds, decides nothing about where it may be. */
async function betweenKinds(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const [n, [[from, content], [to, other]]] of PAIRS.entries()) {
    const top = `/${n}`;
    const [one, two] = [`${top}/one${from}`, `${top}/two${to}`];
    await store(context, { [one]: content, [two]: other });
    if (profile.collisions === "refused") {
      const [below] = await backend.uploadFiles([[`${one}/x${to}`, encoder.encode("x")]]);
      check.that(hasFailed(below ?? {}), `A file was stored below ${one}.`, "W2");
      await context.holds({ [one]: content, [`${one}/x${to}`]: null }, backend, "W2");
    }
    for (const kind of ["copy", "move"] as const) {
      if (!profile[kind]) continue;
      const made = `${top}/made-by-${kind}${to}`;
      check.succeeded(await backend[kind](one, made), `${kind} to another kind`, "M1");
      await context.holds({ [one]: kind === "copy" ? content : null, [made]: content }, backend);
      const over = await backend[kind](made, two, { overwrite: true });
      check.succeeded(over, `${kind} over another kind`, "M1");
      await context.holds({ [made]: kind === "copy" ? content : null, [two]: content }, backend);
      if (kind === "copy") await store(context, { [two]: other });
    }
  }
}

/** M2, A7: where there is no room, what was to be moved to a name of another kind is where it was. */
async function movedWithoutRoom(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const [n, [[from, content], [to]]] of PAIRS.entries()) {
    const [one, two] = [`/${n}/one${from}`, `/${n}/two${to}`];
    await store(context, { [one]: content });
    const heal = await beginning(context, "fill");
    const moved = await during(heal, backend.move(one, two));
    const left = hasFailed(moved)
      ? { [one]: content, [two]: null }
      : { [one]: null, [two]: content };
    await context.holds(left, backend, "A7");
    check.succeeded(await backend.write(`/${n}/after.txt`, "x"), "a write once there is room");
  }
}

/** A7: of files of a batch whose answer was lost none is said to be refused for what the batch itself has stored. */
async function batchWithoutAnswer(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  await context.given({ "/old.txt": "old" });
  const { version } = await backend.read("/old.txt");
  const conditions = [
    ["/a.txt", { ifAbsent: true }],
    ["/b.txt", { ifAbsent: true }],
    ["/old.txt", profile.versions && version !== undefined ? { ifVersion: version } : {}],
  ] as const;
  const heal = await beginning(context, "loseAnswers");
  const files = conditions.map(([path, condition]) => [path, encoder.encode("mine"), condition]);
  const answers = (await during(
    heal,
    backend.call("uploadFiles", [files]),
  )) as FileUploadResponse[];
  const contents = await context.contents(conditions.map(([path]) => path));
  for (const [n, [path]] of conditions.entries()) {
    const { error, code = "" } = answers[n] ?? {};
    const isStored = contentText(contents.get(path)) === "mine";
    if (error === null) check.that(isStored, `${path} was acknowledged, and is lost.`, "A7");
    else check.that(AWAY.includes(code), `Without an answer, ${path} is said to be ${code}.`, "A7");
  }
}

/** Names and contents of other kinds, which some storages keep in other places. */
export const betweenKindsCases: readonly Case[] = [
  {
    id: "path/between-kinds",
    rules: ["W2", "M1", "A7"],
    level: "core",
    needs: ["transfer", "content=bytes"],
    why: "A file goes to a name of any other kind, and refuses what would be below it, whatever kind that is.",
    hint: "Where texts and media are kept apart, look in both places before you store, move or refuse.",
    run: betweenKinds,
  },
  {
    id: "fault/between-kinds-full",
    rules: ["A7", "M2"],
    level: "safe",
    needs: ["faults", "codes", "transfer", "move", "content=bytes"],
    why: "A file that is moved to a name of another kind without room for it is where it was.",
    hint: "Store first, and remove the source afterwards.",
    run: movedWithoutRoom,
  },
  {
    id: "fault/batch-answer-lost",
    rules: ["A7", "T1"],
    level: "safe",
    needs: ["faults", "codes", "transfer"],
    why: "Files of a batch whose answer was lost are acknowledged, or not known to be stored: never refused for what the batch has stored.",
    hint: "A conditional request that is sent again may meet itself: name your writes, and look whose is there.",
    run: batchWithoutAnswer,
  },
];
