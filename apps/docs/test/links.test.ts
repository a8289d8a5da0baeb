import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorsOf, isThere, linksOf, ownLink, siteLinks, slug } from "../src/links.js";
import { readersPages } from "../src/page-files.js";
import { root } from "../src/repository.js";
import { groups, pages } from "../src/site-map.js";

const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
/** A link to a folder shows its README. */
const shownBy = (path: string): string =>
  path === "" || isThere(`${path}/README.md`) ? join(path, "README.md") : path;

describe("links of the documentation", () => {
  test.each(readersPages())("%s leads nowhere that is not there", (source) => {
    const broken = linksOf(textOf(source)).flatMap((target) => {
      // The first page of the site links to the site.
      if (source === "apps/docs/index.md" && target.startsWith("/"))
        return pages.some(({ route }) => route === target) || isThere(`docs${target}`)
          ? []
          : [target];
      const link = ownLink(target, source);
      if (link === undefined) return [];
      if (!isThere(link.path)) return [target];
      const file = shownBy(link.path);
      if (link.anchor === "" || !file.endsWith(".md")) return [];
      return anchorsOf(textOf(file)).has(decodeURIComponent(link.anchor.slice(1))) ? [] : [target];
    });
    expect(broken).toEqual([]);
  });

  test("a link that is broken is seen", () => {
    const text =
      "[a](gone.md) and [b](../README.md#nowhere), not `[c](code.md)`\n```md\n[d](fence.md)\n```\n";
    expect(linksOf(text)).toEqual(["gone.md", "../README.md#nowhere"]);
    expect(ownLink("gone.md", "docs/errors.md")).toEqual({ path: "docs/gone.md", anchor: "" });
    expect(anchorsOf("# A `b` — c\n## A\n## A\n")).toEqual(new Set(["a-b--c", "a", "a-1"]));
    expect(slug("`write` [only](x.md) creates!")).toBe("write-only-creates");
  });

  test("on the site they lead to its pages, or to the sources", () => {
    const link = (text: string, source: string): string => siteLinks(text, source);
    expect(link("[e](errors.md#a)", "docs/semantics.md")).toBe("[e](/errors#a)");
    expect(link("[p](../packages/s3)", "docs/semantics.md")).toBe("[p](/backends/s3)");
    expect(link("[t](../packages/s3/test)", "docs/x.md")).toMatch(
      /\(https:.*\/packages\/s3\/test\)$/,
    );
    expect(link("`[e](errors.md)`", "docs/semantics.md")).toBe("`[e](errors.md)`");
    expect(link("[`s`](../packages/s3), `b`", "docs/x.md")).toBe("[`s`](/backends/s3), `b`");
    expect(link("[s](https://github.com/fs-agents/fs/blob/main/docs/semantics.md)", "a/b.md")).toBe(
      "[s](/semantics)",
    );
  });
});

test("every page is in the sidebar once", () => {
  const routes = groups.flatMap((group) => group.pages.map(({ route }) => route));
  expect(new Set(routes).size).toBe(routes.length);
});
