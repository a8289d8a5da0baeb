import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { siteLinks } from "./links.js";
import { app, pagesFolder, root, SOURCES } from "./repository.js";
import { pages, type Page } from "./site-map.js";

/** The file of a page for VitePress, from the folder of pages. */
export function fileOf({ route }: Page): string {
  return `${route.endsWith("/") ? `${route}index` : route}.md`.slice(1);
}

/** The text of a page as the site shows it. */
export async function pageText(page: Page): Promise<string> {
  const text = await readFile(join(root, page.source), "utf8");
  const linked = siteLinks(text, page.source)
    // The highlighter knows languages; what else a fence says is for the tests.
    .replace(/^( *`{3,}ts) no-run$/gm, "$1")
    // Markers of what is generated in place.
    .replace(/^<!-- .* -->\n/gm, "");
  return linked;
}

/** Copies every page, and what they show, to where VitePress reads them. */
export async function assemblePages(): Promise<void> {
  await rm(pagesFolder, { recursive: true, force: true });
  await mkdir(pagesFolder, { recursive: true });
  for (const page of pages) {
    const file = join(pagesFolder, fileOf(page));
    await mkdir(dirname(file), { recursive: true });
    const matter = `---\neditSource: ${SOURCES}${page.source}\n---\n\n`;
    await writeFile(file, matter + (await pageText(page)));
  }
  await cp(join(app, "index.md"), join(pagesFolder, "index.md"));
  await copyPictures("docs", "public");
}

/** Pictures keep their place below `docs`, as files that are served as they are. */
async function copyPictures(from: string, to: string): Promise<void> {
  for (const entry of await readdir(join(root, from), { recursive: true })) {
    if (!/\.(?:svg|png)$/.test(entry)) continue;
    const target = join(pagesFolder, to, entry);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(root, from, entry), target);
  }
}
