import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileOf, pageText } from "./assemble-pages.js";
import { siteFolder } from "./repository.js";
import { groups } from "./site-map.js";

const INTRODUCTION =
  "# fs\n\n> Filesystem backends for AI agents (LangChain, LangGraph, Deep Agents, MCP, AI SDK): one behaviour on disk, PostgreSQL, Redis, S3, LangGraph state and stores.\n";

/** Writes `llms.txt`, an index with a sentence for each page, `llms-full.txt`, all pages but the matrix, and each page as Markdown. */
export async function writeLlms(): Promise<void> {
  const index = [INTRODUCTION];
  const full = [INTRODUCTION];
  for (const { title, pages } of groups) {
    index.push(`\n## ${title}\n`);
    for (const page of pages) {
      const text = await pageText(page);
      const file = fileOf(page);
      await writeFile(join(siteFolder, file), text);
      index.push(`- [${page.title}](/${file}): ${firstSentence(text)}`);
      if (!page.route.startsWith("/conformance-")) full.push(`\n---\n\n${text}`);
    }
  }
  await writeFile(join(siteFolder, "llms.txt"), `${index.join("\n")}\n`);
  await writeFile(join(siteFolder, "llms-full.txt"), full.join("\n"));
}

/** The first sentence below the title. */
export function firstSentence(markdown: string): string {
  const paragraph =
    markdown
      .split(/\n{2,}/)
      .map((part) => part.trim())
      .find((part) => part !== "" && !/^(?:#|```|\||<|!\[|- )/.test(part)) ?? "";
  const text = paragraph.replaceAll("\n", " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return /^.*?[.:!?](?= |$)/.exec(text)?.[0] ?? text;
}
