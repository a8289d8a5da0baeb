import type { CaseContext } from "../../engine/case-context.js";
import { momentOf } from "../../races/moments.js";
import { lookingBeside, race, range } from "../../races/race.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();
const PATH = "/a.txt";
/** Replaced with it, in one batch. */
const OTHER = "/b.txt";

/** Bytes of a line, and lines of a file that is replaced beside its readers: more than a block or a part, where it may be so long. */
const LINE = 51;
const LINES = [12_000, 4_000, 1_000, 15];
/** Lines of a page, and matches of a search: more than a block as well. */
const PAGE = 500;
/** What every line ends with, for a search. */
const NEEDLE = "needle";

/** What is stored in turn: mostly one large content over another of its length, which a size does not give away. */
const TURNS = ["b", "a", "b", "c", "a", "b", "a", "b"] as const;

/** One reader: what it sees of the file is all of one content, or that page of one. */
type Look = () => Promise<void>;

/** The lines of the three contents; the last is a small one. */
function contentsOf(lines: number): string[][] {
  return ["a", "b", "c"].map((letter) =>
    range(letter === "c" ? 1 : lines).map(
      () => `${letter.repeat(LINE - NEEDLE.length - 1)}${NEEDLE}`,
    ),
  );
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

function asText(content: string | readonly string[] | Uint8Array | undefined): string | undefined {
  if (content instanceof Uint8Array) return new TextDecoder().decode(content);
  return typeof content === "object" ? content.join("\n") : content;
}

/** Every way to read the file, each of which must see one of the contents. */
function looksAt(context: CaseContext, contents: readonly string[][]): Look[] {
  const { backend, check, profile } = context;
  const among = (seen: string | undefined, wanted: readonly string[], what: string): void =>
    check.that(
      seen !== undefined && wanted.includes(seen),
      `${what} saw ${seen?.length ?? "no"} characters that are of none of the contents.`,
      "A7",
    );
  const texts = contents.map(textOf);
  const pageFrom = (offset: number): Look => {
    const pages = contents.map((lines) => textOf(lines.slice(offset, offset + PAGE)));
    return async () => {
      const { content, code } = await backend.read(PATH, offset, PAGE);
      // The small content has no such page.
      if (code !== "invalid_range" || offset === 0)
        among(asText(content), pages, `A read from line ${offset}`);
    };
  };
  const found = contents.map((lines) => lines.slice(0, PAGE).join("\n"));
  const whole: Look[] = [
    async () => among(asText((await context.contents([PATH])).get(PATH)), texts, "A reader"),
    async () => {
      const both = await context.contents([PATH, OTHER]);
      for (const path of [PATH, OTHER])
        among(asText(both.get(path)), texts, `A reader of two files, of ${path},`);
    },
    async () => among(asText((await backend.readRaw(PATH)).data?.content), texts, "A readRaw"),
  ];
  if (!profile.codes) return whole;
  const search: Look = async () => {
    const { matches } = await backend.grep(NEEDLE, PATH, null, PAGE);
    among(matches?.map(({ text }) => text).join("\n"), found, "A grep");
  };
  return [...whole, pageFrom(0), pageFrom(Math.floor((contents[0]?.length ?? 0) / 2)), search];
}

/** Readers beside a writer that replaces large files by others or by small ones: each sees one of them, whole. */
async function noTornRead(context: CaseContext): Promise<void> {
  const [lines = 0] = sizesWithin(context, LINES, (count) => count * LINE);
  const contents = contentsOf(lines);
  const [first = "", second = "", third = ""] = contents.map(textOf);
  await context.given({ [PATH]: first, [OTHER]: second });
  const stored = { a: first, b: second, c: third };
  const write = async (): Promise<void> => {
    for (const [n, letter] of TURNS.entries()) {
      // A storage that answers at once would have been written to the end before a reader's next request.
      await momentOf(`${n % 3} turns`);
      const bytes = encoder.encode(stored[letter]);
      await context.backend.uploadFiles([
        [PATH, bytes],
        [OTHER, bytes],
      ]);
    }
  };
  const looks = looksAt(context, contents);
  let next = 0;
  const read: Look = async () => looks[next++ % looks.length]?.();
  const together: Look = async () => {
    await race(looks.map(() => read));
  };
  await lookingBeside(context, read, () => lookingBeside(context, together, write));
}

/** Races of readers of a large file against what replaces it. */
export const tornReadRaces: readonly Case[] = [
  {
    id: "conc/no-torn-read",
    rules: ["A7"],
    level: "safe",
    needs: ["transfer"],
    why: "A reader beside a writer sees the old file or the new one, never half and never none, also where a file grows or shrinks.",
    hint: "Write to a temporary name and rename, or store in one step. What is read in several requests is read in one version: begin again where it is another.",
    run: noTornRead,
  },
];
