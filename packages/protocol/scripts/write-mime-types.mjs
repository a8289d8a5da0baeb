// Writes src/text/mime-types.ts from the tables of `mime`: the types that the rules of src/text/mime.ts would take from it.
// `mime` itself is four modules and 1,200 types, made at every start; this is one string, read at the first question.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import other from "mime/types/other.js";
import standard from "mime/types/standard.js";

const WIDTH = 150;

/** Types that mime.ts never takes from a table: media, and the two that stand for "unknown". */
function isNeverAnswered(type) {
  return (
    /^(?:image|audio|video|model)\//.test(type) ||
    type === "text/plain" ||
    type === "application/octet-stream"
  );
}

/** `type extension extension;type extension`, with `application/` left out, in lines that break between types. */
export function mimeTypesText() {
  const seen = new Set();
  const entries = [];
  // A type of the standard table wins over one of the other.
  for (const table of [standard, other])
    for (const [type, names] of Object.entries(table)) {
      const own = names.filter((name) => !name.startsWith("*") && !seen.has(name));
      for (const name of own) seen.add(name);
      if (own.length > 0 && !isNeverAnswered(type))
        entries.push([type.replace(/^application\//, ""), ...own].join(" "));
    }
  const lines = [""];
  for (const entry of entries.toSorted()) {
    const line = lines.at(-1) ?? "";
    const longer = line === "" ? entry : `${line};${entry}`;
    if (longer.length > WIDTH) lines.push(entry);
    else lines[lines.length - 1] = longer;
  }
  return lines.join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const note =
    "// Made by scripts/write-mime-types.mjs from the tables of the package `mime` (MIT).";
  const doc = "/** Types and their extensions; a type without a slash is one of `application/`. */";
  const source = format("%s\n\n%s\nexport const MIME_TYPES = `%s`;\n", note, doc, mimeTypesText());
  writeFileSync(new URL("../src/text/mime-types.ts", import.meta.url), source);
}
