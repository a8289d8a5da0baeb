import { describe, expect, test } from "vitest";
import {
  type BackendProtocolV2,
  CompositeBackend,
  failure,
  type GlobResult,
  type GrepResult,
  MemoryBackend,
} from "@fs/protocol";
import { hits, paths, tree } from "./composite-tree.js";

describe("listing", () => {
  test("an ancestor of a route shows it, and hides what it covers", async () => {
    const { all } = await tree();
    expect(paths(await all.ls("/"))).toEqual(["/a/", "/main.md", "/memories/"]);
    expect(paths(await all.ls("/a"))).toEqual(["/a/b/"]);
    expect(paths(await all.ls("/memories"))).toEqual(["/memories/one.md", "/memories/sub/"]);
    expect(await all.ls("/memories/")).toEqual(await all.ls("/memories"));
    expect(await all.ls("/nowhere")).toMatchObject({ code: "not_found" });
  });

  test.each([
    ["**/*.md", "/", ["/a/b/three.md", "/main.md", "/memories/one.md", "/memories/sub/two.md"]],
    ["/memories/**/*.md", "/", ["/memories/one.md", "/memories/sub/two.md"]],
    ["memories/*.md", "/", ["/memories/one.md"]],
    ["*/one.md", "/", ["/memories/one.md"]],
    ["{memories,a/b}/*.md", "/", ["/a/b/three.md", "/memories/one.md"]],
    ["*.md", "/", ["/main.md"]],
    ["*.md", "/memories", ["/memories/one.md"]],
    ["/memories/*.md", "/memories", ["/memories/one.md"]],
    ["*.md", "/memories/one.md", ["/memories/one.md"]],
    ["**", "/a", ["/a/b/three.md"]],
    ["*.txt", "/memories", []],
  ])("glob %s in %s", async (pattern, base, expected) => {
    const { all } = await tree();
    expect(paths(await all.glob(pattern, base))).toEqual(expected);
  });

  test("glob of a missing base", async () => {
    const { all } = await tree();
    expect(await all.glob("*", "/memories/none")).toMatchObject({ code: "not_found" });
    expect(await all.glob("x*", "/none")).toMatchObject({ code: "not_found" });
  });

  test.each([
    [
      "/",
      undefined,
      ["/a/b/three.md:1", "/main.md:1", "/memories/one.md:1", "/memories/sub/two.md:1"],
    ],
    ["/memories", undefined, ["/memories/one.md:1", "/memories/sub/two.md:1"]],
    [
      "/",
      "*.md",
      ["/a/b/three.md:1", "/main.md:1", "/memories/one.md:1", "/memories/sub/two.md:1"],
    ],
    ["/", "memories/*.md", ["/memories/one.md:1"]],
    ["/", "/memories/**", ["/memories/one.md:1", "/memories/sub/two.md:1"]],
    ["/memories", "/memories/*.md", ["/memories/one.md:1"]],
    ["/memories/one.md", "*.md", ["/memories/one.md:1"]],
    ["/", "/*.md", ["/main.md:1"]],
  ])("grep in %s for %s", async (root, filter, expected) => {
    const { all } = await tree();
    expect(hits(await all.grep("alpha", root, filter))).toEqual(expected);
  });

  test("the cap is that of one filesystem, whatever a mount hides", async () => {
    const { all } = await tree();
    const capped = await all.grep("alpha", "/", null, 2);
    expect(hits(capped)).toEqual(["/a/b/three.md:1", "/main.md:1"]);
    expect(capped.truncated).toBe(true);
    expect((await all.grep("alpha", "/", null, 4)).truncated).toBeUndefined();
    expect(await all.grep("alpha", "/", null, -1)).toMatchObject({ code: "invalid_argument" });
  });

  test("a failing route fails the call, or is a warning with partial", async () => {
    const broken = new Proxy(new MemoryBackend(), {
      get: (target, name) =>
        name === "grep" || name === "glob"
          ? () => Promise.reject(new Error("secret-host:5432"))
          : Reflect.get(target, name, target),
    });
    const main = new MemoryBackend();
    await main.write("/x.md", "alpha");
    const strict = await new CompositeBackend(main, { "/b": broken }).grep("alpha");
    expect(strict).toMatchObject({ code: "unavailable" });
    const partial = await new CompositeBackend(main, { "/b": broken }, { partial: true }).grep(
      "alpha",
    );
    expect(hits(partial)).toEqual(["/x.md:1"]);
    expect(partial.warnings).toHaveLength(1);
    expect(JSON.stringify([strict, partial])).not.toContain("secret");
  });

  test("routes are visited side by side", async () => {
    let under = 0;
    let peak = 0;
    const slow = (): BackendProtocolV2 =>
      new Proxy(new MemoryBackend(), {
        get: (target, name) =>
          name === "glob"
            ? async () => {
                peak = Math.max(peak, ++under);
                await new Promise((resolve) => setTimeout(resolve, 5));
                under--;
                return { files: [] };
              }
            : Reflect.get(target, name, target),
      });
    const routes = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`/r${i}`, slow()]));
    await new CompositeBackend(new MemoryBackend(), routes).glob("**");
    expect(peak).toBe(8);
  });

  test("one backend mounted twice is listed once per mount", async () => {
    const shared = new MemoryBackend();
    await shared.write("/f.md", "alpha");
    const all = new CompositeBackend(new MemoryBackend(), { "/one": shared, "/two": shared });
    expect(paths(await all.glob("**"))).toEqual(["/one/f.md", "/two/f.md"]);
  });
});

test("what a mount leaves out is said by the composite around it", async () => {
  class Away extends MemoryBackend {
    override async glob(): Promise<GlobResult> {
      return failure("unavailable", "/");
    }
    override async grep(): Promise<GrepResult> {
      return failure("unavailable", "/");
    }
  }
  const mount = new CompositeBackend(
    new MemoryBackend(),
    { "/away/": new Away() },
    { partial: true },
  );
  const files = new CompositeBackend(new MemoryBackend(), { "/in/": mount });
  const said = { warnings: [expect.stringContaining("not available")] };
  expect(await files.glob("**")).toMatchObject(said);
  expect(await files.grep("x")).toMatchObject(said);
  expect(await files.ls("/")).not.toHaveProperty("warnings");
});
