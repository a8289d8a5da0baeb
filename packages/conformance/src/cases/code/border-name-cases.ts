import type { CaseContext, Content } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import type { Case } from "../case.js";

type Method = "delete" | "move" | "copy";

/** Names at both ends of every order, of bytes, of code units and of code points, and at the borders in between. */
const NAMES = [
  ..." |!|!!/!|-|...|0|A|~a|~~/~a|\u00a0|\u00ff|\u07ff|\u0800|\ud7ff|\ue000|\uff5e|\ufffd|\u{10000}".split(
    "|",
  ),
  ..."😀 party.md|😀/a/😀|\u{e0100}|\u{10fffd}|\u{10fffd}\u{10fffd}/\u{10fffd}".split("|"),
];
/** What a directory's name may be continued with: none of these is in it. */
const ENDINGS = [" ", "!", "-", ".", "0", "a", "~", "\u00ff", "\ufffd", "😀", "\u{10fffd}"];

/** L1, D1, M1: a directory is all of what is in it, from the first name to the last, and nothing else. */
async function whole(context: CaseContext, method: Method): Promise<void> {
  const { backend, check } = context;
  const inside = NAMES.map((name) => `/p/d/${name}`);
  const beside = ENDINGS.flatMap((ending) => [`/p/d${ending}/f`, `/p/d${ending}f`]);
  const held: Record<string, Content | null> = Object.fromEntries(
    [...inside, ...beside].map((path) => [path, `hit ${path}\n`]),
  );
  await context.given(held as Record<string, Content>);
  for (const [view, found] of [
    ["glob", (await backend.glob("**", "/p/d")).files],
    ["grep", (await backend.grep("hit", "/p/d")).matches],
  ] as const)
    check.equal(
      found?.map(({ path }) => path),
      sortedPaths(inside),
      `What ${view} finds in a directory`,
      "L3",
    );
  const args = method === "delete" ? ["/p/d"] : ["/p/d", "/q/e"];
  const answer = (await backend.call(method, args)) as { error?: string };
  check.succeeded(answer, `${method} of a directory`, "M1");
  for (const path of inside) {
    if (method !== "delete") held[path.replace("/p/d", "/q/e")] = `hit ${path}\n`;
    if (method !== "copy") held[path] = null;
  }
  await context.holds(held, backend, "D1");
  const there = sortedPaths(Object.keys(held).filter((path) => held[path] !== null));
  const found = (await backend.glob("**")).files?.map(({ path }) => path);
  check.equal(found, there, `What is there after ${method} of a directory`, "A7");
}

/** Directories whose files have the first and the last names that there are. */
export const borderNameCases: readonly Case[] = (["delete", "move", "copy"] as const).map(
  (method): Case => ({
    id: `${method}/names-from-first-to-last`,
    rules: [method === "delete" ? "D1" : "M1", "L3", "P3", "A7"],
    level: "core",
    needs: [method, "transfer", "names.caseSensitive", "names.unicode=preserve"],
    patience: 2,
    why: `${method} of a directory takes every file in it, whatever its name begins with, and none beside it.`,
    hint: "A range of keys ends before the directory's own name with the character after the slash, not behind a 'last' one.",
    run: (context) => whole(context, method),
  }),
);
