import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type DefaultTheme } from "vitepress";
import { pagesFolder, siteFolder } from "../dist/repository.js";
import { groups } from "../dist/site-map.js";

const MARK =
  "data:image/svg+xml," +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f766e"/><path d="M9 8v16M9 13h9M9 21h14" stroke="#fff" stroke-width="2.6" stroke-linecap="round" fill="none"/><circle cx="20" cy="13" r="2.4" fill="#fff"/><circle cx="24" cy="21" r="2.4" fill="#fff"/></svg>',
  );

const ANCHOR = /^<a id="([\w.-]+)"><\/a>/;
const KINDS = ["classes", "interfaces", "type-aliases", "functions", "variables", "enumerations"];

export default defineConfig({
  title: "fs",
  titleTemplate: ":title · fs",
  description:
    "Filesystem backends for AI agents: one behaviour everywhere, no acknowledged change lost.",
  lang: "en",
  srcDir: pagesFolder,
  outDir: siteFolder,
  cacheDir: join(pagesFolder, "../cache"),
  cleanUrls: true,
  // The sidebars of the whole reference are in a file of their own, instead of in each of 700 pages.
  metaChunk: true,
  // The documents hold placeholders in angle brackets, which are text.
  markdown: {
    html: false,
    theme: { light: "github-light", dark: "github-dark-dimmed" },
    anchor: { slugify: slug },
    toc: { slugify: slug },
    headers: { slugify: slug },
    config: (markdown) => {
      // The one piece of HTML that the documents use: a place to link to.
      markdown.inline.ruler.before("link", "anchor", (state, silent) => {
        const [whole, id] = ANCHOR.exec(state.src.slice(state.pos, state.pos + 200)) ?? [];
        if (whole === undefined) return false;
        if (!silent) state.push("html_inline", "", 0).content = `<a id="${id}"></a>`;
        state.pos += whole.length;
        return true;
      });
    },
  },
  head: [
    ["link", { rel: "icon", href: MARK }],
    ["meta", { name: "theme-color", content: "#0f766e" }],
  ],
  themeConfig: {
    siteTitle: "fs",
    search: {
      provider: "local",
      options: {
        detailedView: true,
        // The matrix and the list of cases are tables of thousands of cells.
        _render: (source, env, markdown) =>
          env.relativePath.startsWith("conformance-") ? "" : markdown.render(source, env),
      },
    },
    nav: [
      { text: "Start", link: "/start/agent-on-postgres" },
      { text: "Guide", link: "/choosing-a-backend" },
      { text: "Semantics", link: "/semantics" },
      { text: "Benchmarks", link: "/benchmarks/figures" },
      { text: "Reference", link: "/reference/" },
    ],
    sidebar: {
      "/": groups.map(({ title, pages }) => ({
        text: title,
        collapsed: !["Start here", "Guide"].includes(title),
        items: pages.map((page) => ({ text: page.title, link: page.route })),
      })),
      ...referenceSidebars(),
    },
    outline: { level: [2, 3], label: "On this page" },
    docFooter: { prev: "Previous", next: "Next" },
    externalLinkIcon: false,
    socialLinks: [{ icon: "github", link: "https://github.com/fs-agents/fs" }],
    footer: { message: "MIT licensed" },
  },
  transformPageData(page) {
    // Wide tables need the room that an outline of two lines would take.
    if (/^conformance-(?:matrix|cells)/.test(page.relativePath))
      page.frontmatter["outline"] = false;
  },
});

/** As GitHub makes the address of a heading, so that one link works in both places. */
function slug(heading: string): string {
  return heading
    .replaceAll("`", "")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, "")
    .replaceAll(" ", "-");
}

/** For each package its own exports, below a list of all packages; one list of all exports would outweigh every page. */
function referenceSidebars(): DefaultTheme.SidebarMulti {
  const folder = join(pagesFolder, "reference");
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  const packages = {
    text: "Packages",
    items: names.map((name) => ({ text: `@fs/${name}`, link: `/reference/${name}/` })),
  };
  return Object.fromEntries([
    ["/reference/", [packages]],
    ...names.map((name) => [
      `/reference/${name}/`,
      [
        ...modulesOf(folder, name).map((module) => exportsOf(folder, module)),
        { ...packages, collapsed: true },
      ],
    ]),
  ]);
}

function modulesOf(folder: string, name: string): string[] {
  const below = readdirSync(join(folder, name), { withFileTypes: true });
  const nested = below.filter((entry) => entry.isDirectory() && !KINDS.includes(entry.name));
  return [name, ...nested.flatMap((entry) => modulesOf(folder, `${name}/${entry.name}`))];
}

function exportsOf(folder: string, module: string): DefaultTheme.SidebarItem {
  const items = KINDS.flatMap((kind) => {
    const at = join(folder, module, kind);
    if (!existsSync(at)) return [];
    return readdirSync(at).map((file) => {
      const name = file.replace(/\.md$/, "");
      return { text: name, link: `/reference/${module}/${kind}/${name}` };
    });
  });
  const overview = existsSync(join(folder, module, "index.md"));
  return {
    text: `@fs/${module}`,
    ...(overview ? { link: `/reference/${module}/` } : {}),
    items,
  };
}
