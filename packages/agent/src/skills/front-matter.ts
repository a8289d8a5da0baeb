import { isMap, parseDocument } from "yaml";

/** The front matter of a Markdown file as a map, or a sentence about why there is none. */
export type FrontMatter =
  | { readonly values: ReadonlyMap<string, unknown>; readonly problem?: undefined }
  | { readonly problem: string };

/** Characters of front matter that are parsed at all. */
const MAX_LENGTH = 64 * 1024;

/** Reads the YAML between two `---` lines at the start. A BOM, CRLF, no newline at the end and an unquoted colon are fine. */
export function frontMatterOf(text: string): FrontMatter {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== "---") return { problem: "it does not begin with '---'" };
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === "---");
  if (end === -1) return { problem: "its front matter does not end with '---'" };
  const source = lines.slice(1, end);
  if (source.join("\n").length > MAX_LENGTH) return { problem: "its front matter is too long" };
  return parsed(source.join("\n")) ?? parsed(quoted(source)) ?? { problem: "its YAML is invalid" };
}

function parsed(yaml: string): FrontMatter | undefined {
  const document = parseDocument(yaml, { schema: "core", customTags: [], logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  if (!isMap(document.contents)) return { problem: "its front matter is no map" };
  try {
    const values: unknown = document.toJS({ mapAsMap: true, maxAliasCount: 100 });
    return values instanceof Map
      ? { values: values as Map<string, unknown> }
      : { problem: "its front matter is no map" };
  } catch (error) {
    // More aliases than any honest file has, or an alias of nothing.
    if (error instanceof ReferenceError) return { problem: "its YAML has too many aliases" };
    throw error;
  }
}

/** One-line values with an unquoted colon, the commonest mistake, put into quotes. */
function quoted(lines: readonly string[]): string {
  return lines
    .map((line) => {
      const [, key, value] = /^([A-Za-z][\w-]*):[ \t]+([^"'[{|>].*?)[ \t]*$/.exec(line) ?? [];
      return key === undefined || value === undefined || !value.includes(":")
        ? line
        : `${key}: ${JSON.stringify(value)}`;
    })
    .join("\n");
}
