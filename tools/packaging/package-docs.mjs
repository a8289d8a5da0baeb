// The pages of the repository that are about one package come with its tarball, as they are at that version.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, posix } from "node:path";

const REPOSITORY = "https://github.com/fs-agents/fs";
const BRIDGES = ["ai-sdk", "anthropic", "just-bash", "mastra", "node", "openai-agents"];

/** Of each package its pages, in `docs` of the repository; the README says the rest, and is all there is of the others. */
const PAGES = {
  "@fs/agent": ["migrating-from-deepagents.md", "harness.md"],
  "@fs/conformance": ["conformance.md", "guide/testing-your-own.md"],
  "@fs/journal": ["guide/approving-and-undoing.md"],
  "@fs/postgres": ["operating/postgres.md", "start/agent-on-postgres.md"],
  "@fs/protocol": [
    "semantics.md",
    "errors.md",
    "writing-a-backend.md",
    "guide/routing.md",
    "guide/protecting.md",
  ],
  "@fs/redis": ["operating/redis.md"],
  "@fs/s3": ["operating/s3.md"],
  "@fs/staging": ["guide/approving-and-undoing.md"],
  ...Object.fromEntries(BRIDGES.map((name) => [`@fs/${name}`, [`bridges/${name}.md`]])),
};

/** The pages of a package, from the root of the repository; none for most. */
export function pagesOf(name) {
  return (PAGES[name] ?? []).map((page) => `docs/${page}`);
}

/**
 * The text of a page with links that work in a tarball: those to a page beside it stay there, and every other link to
 * this repository becomes an address.
 *
 * @param {string} text
 * @param {string} page Where it is, from the root of the repository.
 * @param {readonly string[]} beside The pages of the same tarball.
 */
export function packedText(text, page, beside) {
  const link = (whole, before, target) => {
    const [, address, anchor = ""] = /^([^#]*)(#.*)?$/.exec(target);
    if (address === "" || /^[a-z][a-z0-9+.-]*:/i.test(address)) return whole;
    const path = posix.join(posix.dirname(page), address);
    if (beside.includes(path)) return `${before}${basename(path)}${anchor}`;
    return `${before}${REPOSITORY}/${posix.extname(path) === "" ? "tree" : "blob"}/main/${path}${anchor}`;
  };
  // Code is matched first, and left alone.
  const outside = /^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2`*$|`[^`\n]*`|(\]\()([^)\s]+)/gm;
  return text.replaceAll(outside, (whole, _indent, _fence, before, target) =>
    before === undefined ? whole : link(whole, before, target),
  );
}

/** Makes `docs` of a package's folder anew; none where it has no pages. Throws when `files` of the manifest says otherwise. */
export function copyPages(root, folder, { name, files }) {
  const target = join(folder, "docs");
  rmSync(target, { recursive: true, force: true });
  const pages = pagesOf(name);
  if (files.includes("docs") !== pages.length > 0)
    throw new Error(`${name} has ${pages.length} pages, and its files are ${files.join(", ")}`);
  if (pages.length === 0) return;
  mkdirSync(target);
  for (const page of pages) {
    const text = readFileSync(join(root, page), "utf8");
    writeFileSync(join(target, basename(page)), packedText(text, page, pages));
  }
}
