import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** One fenced `ts` block of a Markdown file. */
export interface ReadmeExample {
  /** The heading above the block and the block's line, e.g. `"Quick start (README.md:12)"`. */
  readonly title: string;
  readonly code: string;
  /** The 1-based line of the block's first line of code. */
  readonly line: number;
  /** The absolute folder of the Markdown file; imports in the example resolve from it. */
  readonly directory: string;
}

/**
 * The examples of a Markdown file, in order: every block fenced as exactly ` ```ts `.
 *
 * A block that cannot run on its own (a signature, a fragment, something that needs an account)
 * is fenced as ` ```ts no-run ` and left out. Throws when a file has no example at all, so that a
 * test over a README cannot pass by testing nothing.
 *
 * @param file - A `file:` URL, usually `new URL("../README.md", import.meta.url)`, or a path.
 */
export function readmeExamples(file: URL | string): ReadmeExample[] {
  const examples = codeBlocks(file).filter(({ info }) => info === "ts");
  if (examples.length === 0) throw new Error(`${nameOf(file)} has no \`\`\`ts example to run`);
  return examples.map(({ title, code, line, directory }) => ({ title, code, line, directory }));
}

/** A fenced block of any kind. */
export interface CodeBlock extends ReadmeExample {
  /** What follows the fence, such as `"ts no-run"`. */
  readonly info: string;
}

/** Every fenced block of a Markdown file, in order. */
export function codeBlocks(file: URL | string): CodeBlock[] {
  const path = pathOf(file);
  const name = basename(path);
  const blocks: CodeBlock[] = [];
  let heading = name;
  let fence: { mark: string; indent: string; info: string; line: number } | undefined;
  let body: string[] = [];
  for (const [index, text] of readFileSync(path, "utf8").split(/\r?\n/).entries()) {
    if (fence === undefined) {
      const opened = /^(\s*)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(text);
      if (opened) {
        const [, indent = "", mark = "", info = ""] = opened;
        fence = { mark, indent, info, line: index + 2 };
        body = [];
      } else heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1] ?? heading;
    } else if (text.trim().startsWith(fence.mark) && /^[`~]+$/.test(text.trim())) {
      const { info, line } = fence;
      blocks.push({
        info,
        title: `${heading} (${name}:${line})`,
        code: body.join("\n"),
        line,
        directory: dirname(path),
      });
      fence = undefined;
    } else body.push(text.startsWith(fence.indent) ? text.slice(fence.indent.length) : text);
  }
  return blocks;
}

function pathOf(file: URL | string): string {
  return file instanceof URL || file.startsWith("file:") ? fileURLToPath(file) : file;
}

function nameOf(file: URL | string): string {
  return basename(pathOf(file));
}
