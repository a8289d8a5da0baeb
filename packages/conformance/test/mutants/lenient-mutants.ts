import { mutant, type Mutant } from "./mutant.js";

/** An edit that, where nothing matches exactly, takes something else. */
function lenient(
  name: string,
  bug: string,
  find: (text: string, old: string) => string | undefined,
): Mutant {
  return mutant(`lenient/${name}`, "E5", bug, (inner) => ({
    edit: async (path, old, to, all, options) => {
      const result = await inner.edit(path, old, to, all, options);
      if (result.code !== "no_match") return result;
      const content = (await inner.readRaw(path)).data?.content;
      const found = typeof content === "string" ? find(content, old) : undefined;
      return found === undefined || found === "" || found === old
        ? result
        : inner.edit(path, found, to, all, options);
    },
  }));
}

function rewritten(change: (old: string) => string) {
  return (text: string, old: string): string | undefined =>
    text.includes(change(old)) ? change(old) : undefined;
}

/** Edits that match what they were not asked to. */
export const LENIENT_MUTANTS: readonly Mutant[] = [
  lenient("case", "The case of letters is ignored where nothing matches.", (text, old) => {
    const at = text.toLowerCase().indexOf(old.toLowerCase());
    return at === -1 ? undefined : text.slice(at, at + old.length);
  }),
  lenient(
    "trimmed",
    "White space around the text is dropped where nothing matches.",
    rewritten((old) => old.trim()),
  ),
  lenient(
    "line-numbers",
    "Line numbers are dropped where nothing matches.",
    rewritten((old) => old.replace(/^ *\d+\t/gm, "")),
  ),
  lenient(
    "quotes",
    "Typographic quotes are taken for plain ones.",
    rewritten((old) => old.replace(/[“”]/g, '"')),
  ),
  lenient(
    "escapes",
    "Escapes of the text are read where nothing matches.",
    rewritten((old) => old.replaceAll("\\n", "\n").replaceAll("\\t", "\t")),
  ),
  lenient(
    "composed",
    "Both forms of a letter count as one.",
    rewritten((old) => old.normalize("NFC")),
  ),
  lenient(
    "no-break-spaces",
    "A no-break space is taken for a space.",
    rewritten((old) => old.replaceAll("\u00a0", " ")),
  ),
  lenient("indentation", "Lines are compared without their indentation.", (text, old) => {
    const wanted = old.split("\n").map((line) => line.trim());
    const lines = text.split("\n");
    const at = lines.findIndex((_, n) =>
      wanted.every((line, k) => line !== "" && line === lines[n + k]?.trim()),
    );
    return at === -1 ? undefined : lines.slice(at, at + wanted.length).join("\n");
  }),
];
