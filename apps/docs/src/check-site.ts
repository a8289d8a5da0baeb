import { readdir, readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";

/** Every link and anchor of a built site that leads nowhere, and every file it loads from elsewhere; empty when all is well. */
export async function siteProblems(folder: string): Promise<string[]> {
  const files = new Set(await readdir(folder, { recursive: true }));
  const htmls = [...files].filter((file) => file.endsWith(".html"));
  const ids = new Map<string, Set<string>>();
  const links: Array<{ from: string; href: string }> = [];
  const problems: string[] = [];
  for (const file of htmls) {
    const html = await readFile(join(folder, file), "utf8");
    ids.set(file, new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? "")));
    for (const match of html.matchAll(/<a [^>]*?href="([^"]+)"/g))
      links.push({ from: file, href: (match[1] ?? "").replaceAll("&amp;", "&") });
    for (const match of html.matchAll(/<(?:script|img|link)[^>]*? (?:src|href)="(https?:[^"]+)"/g))
      problems.push(`${file} loads ${match[1]} from elsewhere`);
  }
  for (const { from, href } of links) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) continue;
    const [address = "", anchor = ""] = href.split("#");
    const file = address === "" ? from : target(address, from, files);
    if (file === undefined) problems.push(`${from} links to ${href}, which is not there`);
    else if (
      anchor !== "" &&
      file.endsWith(".html") &&
      !ids.get(file)?.has(decodeURIComponent(anchor))
    )
      problems.push(`${from} links to ${href}, which has no such anchor`);
  }
  return [...new Set(problems)];
}

function target(address: string, from: string, files: ReadonlySet<string>): string | undefined {
  const path = decodeURIComponent(
    address.startsWith("/") ? address.slice(1) : posix.join(posix.dirname(from), address),
  );
  const candidates = [path, `${path}.html`, posix.join(path, "index.html")];
  return candidates.find((candidate) => files.has(candidate) && /\.\w+$/.test(candidate));
}

/** The heaviest pages: bytes of HTML, largest first. */
export async function pageWeights(folder: string): Promise<Array<{ file: string; bytes: number }>> {
  const files = (await readdir(folder, { recursive: true })).filter((f) => f.endsWith(".html"));
  const weights = await Promise.all(
    files.map(async (file) => ({ file, bytes: (await stat(join(folder, file))).size })),
  );
  return weights.toSorted((a, b) => b.bytes - a.bytes);
}
