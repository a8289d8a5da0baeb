import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { root, SOURCES } from "./repository.js";
import { pages } from "./site-map.js";

const routes = new Map(pages.map(({ source, route }) => [source, route]));
/** The target of an inline link or image, or of a definition. Code is cut out before. */
const LINK = /(\]\(|^\[[^\]\n]+\]: +)<?([^)\s>]+)>?/gm;
const FENCED = /^( *)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[`~]*$/gm;
/** The same, or code in a line, which is matched first and left alone. */
const OUTSIDE_CODE = /`[^`\n]*`|(\]\(|^\[[^\]\n]+\]: +)<?([^)\s>]+)>?/gm;
const OWN = /^https:\/\/github\.com\/fs-agents\/fs\/(?:blob|tree)\/main\//;

/** A link of a page to something of this repository. */
export interface OwnLink {
  /** From the root of the repository; `""` is the root itself. */
  readonly path: string;
  /** With its `#`, or empty. */
  readonly anchor: string;
}

/** What a link in a file of the repository means there, or `undefined` for one that leaves it. */
export function ownLink(target: string, source: string): OwnLink | undefined {
  const [, address = "", anchor = ""] = /^([^#]*)(#.*)?$/.exec(target) ?? [];
  if (OWN.test(address)) return { path: address.replace(OWN, ""), anchor };
  if (/^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith("/")) return undefined;
  if (address === "") return { path: source, anchor };
  const path = posix.join(posix.dirname(source), decodeURI(address)).replace(/\/$/, "");
  return { path: path === "." ? "" : path, anchor };
}

/** Every link of a Markdown text outside code. */
export function linksOf(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(LINK)].map(([, , target = ""]) => target);
}

/** The text with every link to this repository turned into one of the site, or to the sources. */
export function siteLinks(markdown: string, source: string): string {
  const parts = splitCode(markdown);
  return parts
    .map(({ text, code }) =>
      code
        ? text
        : text.replace(OUTSIDE_CODE, (whole, before?: string, target?: string) => {
            if (before === undefined || target === undefined) return whole;
            const link = ownLink(target, source);
            return link === undefined ? whole : `${before}${onSite(link, source)}`;
          }),
    )
    .join("");
}

function onSite({ path, anchor }: OwnLink, source: string): string {
  if (path === source) return anchor;
  if (/\.(?:svg|png)$/.test(path)) return `/${path.replace(/^docs\//, "")}`;
  const route = routes.get(path) ?? routes.get(posix.join(path, "README.md"));
  if (route !== undefined) return `${route}${anchor}`;
  return `${SOURCES}${path}${anchor}`;
}

function splitCode(markdown: string): Array<{ text: string; code: boolean }> {
  const parts: Array<{ text: string; code: boolean }> = [];
  let from = 0;
  for (const match of markdown.matchAll(FENCED)) {
    parts.push({ text: markdown.slice(from, match.index), code: false });
    parts.push({ text: match[0], code: true });
    from = match.index + match[0].length;
  }
  parts.push({ text: markdown.slice(from), code: false });
  return parts;
}

function withoutCode(markdown: string): string {
  return splitCode(markdown)
    .filter(({ code }) => !code)
    .map(({ text }) => text.replace(/`[^`\n]*`/g, (code) => " ".repeat(code.length)))
    .join("");
}

/** The anchors that GitHub and the site give the headings of a page. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const match of withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const base = slug(match[1] ?? "");
    let anchor = base;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${base}-${copy}`;
    anchors.add(anchor);
  }
  for (const match of markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(match[1] ?? "");
  return anchors;
}

function withoutFences(markdown: string): string {
  return splitCode(markdown)
    .filter(({ code }) => !code)
    .map(({ text }) => text)
    .join("");
}

/** As GitHub makes the address of a heading. */
export function slug(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, "")
    .replaceAll(" ", "-");
}

/** Whether a path of the repository is there. */
export function isThere(path: string): boolean {
  return existsSync(join(root, path));
}
