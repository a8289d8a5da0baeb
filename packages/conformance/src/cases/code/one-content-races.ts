import type { FileUploadResponse, GlobResult, LsResult, StatResult } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { hasTime, inTurns } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { awaitedLater, lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";
import { contentText } from "./pair-looks.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

/** Lines of the large contents, and bytes of a line: more than travels in a message or a row, where a file may be so long. */
const LINES = [4000, 1000, 15];
const LINE = 51;
/** The page that is read: of the smallest content it is the last. */
const PAGE = [2, 2] as const;

/** Moments of a look at which a store begins, and of a store at which a look does. */
const MOMENTS = 3;

/** Milliseconds after which no further round begins, in any tier. */
const BUDGET_MS = 10_000;

/** What is stored over what, by their place among the contents: a large one, a little larger one, and two small ones. */
const STEPS = [
  [0, 1],
  [0, 2],
  [2, 0],
  [3, 2],
] as const;

function contentsOf(context: CaseContext): Uint8Array[] {
  const [large = 0] = sizesWithin(context, LINES, (count) => (count + 7) * LINE);
  return [large, large + 7, 3, 5].map((count, n) =>
    encoder.encode(`${"abcd".charAt(n).repeat(LINE - 1)}\n`.repeat(count)),
  );
}

/** What an answer says of the file. What is not known of it, or not asked, is `undefined`. */
interface Parts {
  readonly text?: string | undefined;
  readonly lines?: number | undefined;
  readonly next?: number | false;
  readonly size?: number | undefined;
  readonly version?: string | undefined;
}

type Look = readonly [name: string, look: (path: string) => Promise<Parts>];

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

function looksOf({ backend, check }: CaseContext): Look[] {
  const fine = <T extends object>(answer: T, name: string): T => {
    check.succeeded(answer, `${name} beside what replaces the file`, "A7");
    return answer;
  };
  const listed = (name: string, answer: LsResult | GlobResult, path: string): Parts => {
    const found = fine(answer, name).files?.find((file) => file.path === path);
    check.that(found !== undefined, `${name} left out a file that was replaced meanwhile.`, "A7");
    return { size: found?.size, version: found?.version };
  };
  const looks: Look[] = [
    [
      "read",
      async (path) => {
        const answer = fine(await backend.read(path, ...PAGE), "read");
        const { content, totalLines, nextOffset: next = false, version } = answer;
        return { text: contentText(content), lines: totalLines, next, version };
      },
    ],
    [
      "readRaw",
      async (path) => {
        const { data, version } = fine(await backend.readRaw(path), "readRaw");
        return { text: contentText(data?.content), version };
      },
    ],
    ["ls", async (path) => listed("ls", await backend.ls(directoryOf(path)), path)],
    ["glob", async (path) => listed("glob", await backend.glob("*.txt", directoryOf(path)), path)],
    [
      "downloadFiles",
      async (path) => {
        const [file] = await backend.downloadFiles([path]);
        check.equal(file?.error, null, "downloadFiles beside what replaces the file", "A7");
        return { text: contentText(file?.content ?? undefined), version: file?.version };
      },
    ],
  ];
  if (backend.has("stat"))
    looks.push([
      "stat",
      async (path) => {
        const { info } = fine((await backend.call("stat", [path])) as StatResult, "stat");
        return { size: info?.size, version: info?.version };
      },
    ]);
  return looks;
}

/** Whether what is known of two answers is the same, versions apart, which come anew with each store. */
const isOf = (content: Parts, seen: Parts): boolean =>
  (["text", "lines", "next", "size"] as const).every(
    (part) =>
      seen[part] === content[part] || seen[part] === undefined || content[part] === undefined,
  );

interface Round {
  readonly look: Look;
  readonly step: readonly [from: number, to: number];
  readonly first: "look" | "store";
  readonly moment: string;
}

/** A7, F2: whatever an answer says of a file that is replaced meanwhile, it says of one content, and with its version. */
async function ofOneContent(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { check } = context;
  const contents = contentsOf(context);
  const store = async (path: string, content: number): Promise<FileUploadResponse> => {
    const bytes = contents[content] ?? new Uint8Array();
    const [stored] = await other.uploadFiles([[path, bytes]]);
    check.equal(stored?.error, null, "An upload beside a look", "A7");
    return stored ?? { path, error: null };
  };

  // What each look shows of each content where nothing happens beside it, and how long that lasts.
  const quiet = new Map<string, Parts[]>();
  const moments: Round[][] = range(2 * MOMENTS).map(() => []);
  const storing = momentsUnderWay(await lastingOf(store("/d/first.txt", 0)), MOMENTS);
  for (const content of contents.keys()) await store(`/d/${content}/a.txt`, content);
  for (const look of looksOf(context)) {
    const [name, ask] = look;
    quiet.set(name, await Promise.all(contents.map((_, n) => ask(`/d/${n}/a.txt`))));
    for (const step of STEPS) {
      const looking = momentsUnderWay(await lastingOf(ask(`/d/${step[0]}/a.txt`)), MOMENTS);
      for (const [n, moment] of looking.entries())
        moments[2 * n]?.push({ look, step, first: "look", moment });
      for (const [n, moment] of storing.entries())
        moments[2 * n + 1]?.push({ look, step, first: "store", moment });
    }
  }

  const begun = performance.now();
  for (const [n, { look, step, first, moment }] of inTurns(moments).flat().entries()) {
    if (!hasTime(context, begun, n) || performance.now() > begun + BUDGET_MS) break;
    context.transcript.clear();
    const [name, ask] = look;
    const [from, to] = step;
    const path = "/e/a.txt";
    const before = await store(path, from);
    const looking = (): Promise<Parts> => awaitedLater(ask(path));
    const storingAgain = (): Promise<FileUploadResponse> => awaitedLater(store(path, to));
    let seen: Parts;
    let after: FileUploadResponse;
    if (first === "look") {
      const pending = looking();
      await momentOf(moment);
      [after, seen] = [await storingAgain(), await pending];
    } else {
      const pending = storingAgain();
      await momentOf(moment);
      [seen, after] = [await looking(), await pending];
    }
    const what = `What ${name} says of a file that is replaced (the ${first} first, ${moment} later)`;
    const wanted = [from, to].filter((content) => isOf(quiet.get(name)?.[content] ?? {}, seen));
    check.that(wanted.length > 0, `${what} is of none of its contents, or of both.`, "A7");
    const versions = wanted.map((content) => (content === from ? before : after).version);
    if (seen.version === undefined || versions.includes(undefined)) continue;
    check.that(
      versions.includes(seen.version),
      `${what} has the version of the other content.`,
      "F2",
    );
  }
}

/** Looks beside what replaces the file, each of whose parts is of the same content. */
export const oneContentRaces: readonly Case[] = overlapCases([
  {
    name: "answers-of-one-content",
    rules: ["A7", "F2", "R2"],
    needs: ["transfer", "codes"],
    why: "The content or the size, the number of lines, the page's end and the version in one answer are of one content, also where the file is replaced while it is asked for.",
    hint: "Take all of an answer from one row, one descriptor or one response, or look again where the version is another afterwards.",
    run: ofOneContent,
  },
]);
