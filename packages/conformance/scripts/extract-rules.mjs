// Writes spec/rules.json from docs/semantics.md, so that the published package can quote the rules.
import { readFileSync, writeFileSync } from "node:fs";

/** What comes before the rules of packages above the protocol, which are not those of a backend. */
const ABOVE = "<!-- From here on: packages above the protocol.";

/** The rules of a page for backends: lines that begin with `- **A1**`, with their continuation lines. */
export function extractRules(markdown) {
  const rules = {};
  let current;
  for (const line of markdown.split(ABOVE, 1)[0].split("\n")) {
    const start = /^- \*\*([A-Z]\d+)\*\* (.*)$/.exec(line);
    if (start) {
      current = start[1];
      rules[current] = start[2];
    } else if (current !== undefined && /^ {2}\S/.test(line)) rules[current] += ` ${line.trim()}`;
    else current = undefined;
  }
  return rules;
}

const source = new URL("../../../docs/semantics.md", import.meta.url);
const target = new URL("../spec/rules.json", import.meta.url);
if (process.argv[1] === new URL(import.meta.url).pathname) {
  writeFileSync(target, `${JSON.stringify(extractRules(readFileSync(source, "utf8")), null, 2)}\n`);
}
