import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SOURCES, root } from "./repository.js";
import { type Option, readOptions } from "./read-options.js";

const BLOCK = /<!-- options of (\w+) in (\S+) -->\n[\s\S]*?\n?<!-- end of options -->/g;
/** Options that every backend takes, documented once in the protocol's README. */
const COMMON = "VolumeBackendOptions";
const COMMON_NAMES = ["writeMode", "maxFileBytes", "concurrency", "onError"];
const COMMON_PAGE = `${SOURCES}packages/protocol/README.md#volumebackend-options`;
/** A type that is longer says less in a table than in the reference. */
const LONGEST_TYPE = 48;

/** The Markdown files that hold tables of options. */
export function filesWithTables(): string[] {
  const readmes = readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`);
  return readmes.filter((path) => /<!-- options of /.test(readFileSync(join(root, path), "utf8")));
}

/** The text with each table of options as the types have it. */
export function withTables(markdown: string): string {
  return markdown.replace(
    BLOCK,
    (_, name: string, path: string) =>
      `<!-- options of ${name} in ${path} -->\n\n${optionTable(name, path)}\n\n<!-- end of options -->`,
  );
}

/** Writes every table anew; the formatter aligns them. */
export function writeTables(): void {
  for (const path of filesWithTables()) {
    const file = join(root, path);
    writeFileSync(file, withTables(readFileSync(file, "utf8")));
  }
}

/** A table of the options of a type, with one row for those that it shares with every backend. */
export function optionTable(name: string, path: string): string {
  const { own, inherited } = readOptions(name, path);
  const rows = own.map(row);
  const shared = inherited.find((type) => type.includes(COMMON));
  if (shared !== undefined) {
    const picked = shared.includes("<");
    const names = COMMON_NAMES.filter(
      (common) =>
        !own.some((option) => option.name === common) &&
        (!picked || shared.includes(`"${common}"`)),
    );
    const listed = names.map((common) => `\`${common}\``).join(", ");
    rows.push(`| ${listed} | | | as on [every backend](${COMMON_PAGE}) |`);
  }
  return ["| option | type | default | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function row({ name, need, type, fallback, meaning }: Option): string {
  const short = type.length > LONGEST_TYPE ? "" : `\`${type.replaceAll("|", "\\|")}\``;
  const standard = need === "optional" ? fallback.replaceAll("|", "\\|") : need;
  return `| \`${name}\` | ${short} | ${standard} | ${meaning.replaceAll("|", "\\|")} |`;
}

/** A table's cells without the spaces that align them, for comparing. */
export function cellsOf(markdown: string): string {
  return markdown
    .split("\n")
    .map((line) =>
      line.startsWith("|") ? line.replace(/ *\| */g, "|").replace(/-{3,}/g, "---") : line,
    )
    .join("\n");
}
