import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";

type Kind = "move" | "copy";

const MAX_PATH_BYTES = 4096;

/** Its files and the destination's are the same ones: each takes the place of the next. */
const CHAIN = { "/a/b/x.txt": "outer\n", "/a/b/b/x.txt": "inner\n", "/a/y.txt": "beside\n" };

async function overTheOneAbove(context: CaseContext, kind: Kind): Promise<void> {
  await context.given(CHAIN);
  const result = await context.backend[kind]("/a/b", "/a", { overwrite: true });
  context.check.failed(result, "invalid_argument", `${kind} of a directory over the one above it`);
  await context.holds(CHAIN, context.backend, "M2");
}

/** A directory of the given length as a path, in segments that are all allowed. */
function directoryOf(bytes: number): string {
  let path = "";
  for (let left = bytes; left > 0;) {
    // What is left after a segment is none, or enough for a slash and a name.
    const taken = left <= 200 ? left : Math.min(200, left - 2);
    path += `/${"b".repeat(taken - 1)}`;
    left -= taken;
  }
  return path;
}

async function pathsTooLong(context: CaseContext, kind: Kind): Promise<void> {
  const { pathBytes = MAX_PATH_BYTES } = context.profile.limits;
  const all: string[] = [];
  // The second time in characters of two bytes: it is bytes that count.
  for (const [directory, written] of [
    ["/a", (path: string) => path],
    ["/e", (path: string) => path.replaceAll("bb", "é")],
  ] as const) {
    const deep = directoryOf(pathBytes - directory.length - "/f".length);
    const long = `${directory}${written(deep)}/f`;
    const files = { [`${directory}/e.txt`]: "short\n", [long]: "long\n" };
    await context.given(files);
    const to = written(directoryOf(MAX_PATH_BYTES + 1 - deep.length - "/f".length));
    const result = await context.backend[kind](directory, to);
    context.check.failed(result, "invalid_path", `${kind} to where a path would be too long`, "P2");
    await context.holds(files, context.backend, "M1");
    const found = await context.backend.glob("**");
    const paths = found.files?.map(({ path }) => path);
    all.push(...Object.keys(files));
    context.check.equal(
      paths?.toSorted(),
      all.toSorted(),
      "The files that are there after it",
      "M1",
    );
  }
}

/** Directories that cannot go where they are sent, because of what lies deep in them. */
export const relocatedTreeCases: readonly Case[] = (["move", "copy"] as const).flatMap(
  (kind): Case[] => [
    {
      id: `${kind}/over-the-one-above`,
      rules: ["M2", "A7"],
      level: "core",
      needs: [kind],
      why: `${kind} of a directory over the one that holds it, where its files would replace each other, is refused.`,
      hint: "Before anything is written, look whether the destination of one file is the source of another.",
      run: (context) => overTheOneAbove(context, kind),
    },
    {
      id: `${kind}/paths-too-long`,
      rules: ["M1", "P2", "A4", "A7"],
      level: "core",
      needs: [kind],
      why: `${kind} of a directory whose files would get paths that are too long is refused, and changes nothing.`,
      hint: "Check the path of every file at the destination before anything is written.",
      run: (context) => pathsTooLong(context, kind),
    },
  ],
);
