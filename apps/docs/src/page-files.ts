import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./repository.js";
import { pages } from "./site-map.js";

/** Every Markdown page for readers: those of the site, those at the root, and the site's first one. From the root of the repository. */
export function readersPages(): string[] {
  const atRoot = readdirSync(root).filter((name) => name.endsWith(".md") && name !== "AGENTS.md");
  return [
    ...atRoot,
    "examples/README.md",
    "apps/docs/index.md",
    ...pages.map((page) => page.source),
  ];
}

/** The same as absolute paths. */
export function readersFiles(): string[] {
  return readersPages().map((path) => join(root, path));
}
