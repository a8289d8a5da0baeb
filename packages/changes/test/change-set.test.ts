import {
  changeSet,
  formatChangeSet,
  hashOf,
  invert,
  kindOf,
  parseChangeSet,
  pathFilter,
  sideOf,
} from "@fs/changes";
import { runAsCaller } from "@fs/protocol";
import { describe, expect, test } from "vitest";

const one = sideOf(new TextEncoder().encode("one"), "1");
const two = sideOf(new TextEncoder().encode("two"), "2");

test("a hash is that of sha256sum", () => {
  expect(hashOf(new TextEncoder().encode("abc"))).toBe(
    "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

describe("a change set", () => {
  test("is sorted, carries its caller, and comes back from its text", () => {
    const set = runAsCaller({ actor: "ann", threadId: "t" }, () =>
      changeSet([
        { path: "/b", before: one, after: null },
        { path: "/a", before: null, after: two, from: "/b" },
      ]),
    );
    expect(set.changes.map(({ path }) => path)).toEqual(["/a", "/b"]);
    expect(set.caller).toEqual({ actor: "ann", threadId: "t" });
    expect(parseChangeSet(formatChangeSet(set))).toEqual(set);
  });

  test.each([
    ["a path that comes twice", [change("/a"), change("/a")]],
    ["a relative path", [change("a")]],
    ["a directory", [change("/a/")]],
    ["a path with '..'", [change("/a/../b")]],
    ["a side without hash and version", [{ path: "/a", before: null, after: { size: 1 } }]],
    ["a size that is no number", [{ path: "/a", before: null, after: { ...one, size: -1 } }]],
    ["a hash of another kind", [{ path: "/a", before: null, after: { ...one, hash: "md5:1" } }]],
  ])("refuses %s", (_, changes) => {
    expect(() => changeSet(changes)).toThrow(TypeError);
    expect(() =>
      parseChangeSet(JSON.stringify({ format: 1, id: "1", created: "", caller: {}, changes })),
    ).toThrow(TypeError);
  });

  test.each(["", "no json", "null", "{}", '{"format":2,"changes":[]}'])(
    "refuses the text %j",
    (text) => expect(() => parseChangeSet(text)).toThrow(TypeError),
  );

  test("is taken back by its inverse, a move as a move", () => {
    const set = changeSet([
      { path: "/new", before: null, after: one, from: "/old" },
      { path: "/old", before: one, after: null },
      { path: "/edited", before: one, after: two },
    ]);
    expect(invert(set).changes).toEqual([
      { path: "/edited", before: two, after: one },
      { path: "/new", before: one, after: null },
      { path: "/old", before: null, after: one, from: "/new" },
    ]);
    expect(invert(invert(set)).changes).toEqual(set.changes);
  });
});

test("a change is named by what it does", () => {
  expect(kindOf({ before: null, after: one })).toBe("create");
  expect(kindOf({ before: one, after: two })).toBe("modify");
  expect(kindOf({ before: one, after: null })).toBe("delete");
  expect(kindOf({ before: one, after: { ...one, version: "9" } })).toBe("none");
});

test("a selection is by name, by pattern or by several, and a wrong one selects nothing", () => {
  expect(["/a.md", "/docs/b.md", "/c.ts"].filter(pathFilter("*.md"))).toEqual([
    "/a.md",
    "/docs/b.md",
  ]);
  expect(["/a.md", "/docs/b.md"].filter(pathFilter("/docs/**"))).toEqual(["/docs/b.md"]);
  expect(["/a", "/b", "/c"].filter(pathFilter(["/a", "/c"]))).toEqual(["/a", "/c"]);
  expect(["/a"].filter(pathFilter([]))).toEqual([]);
  expect(() => pathFilter("[")).toThrow(TypeError);
});

function change(path: string): { path: string; before: null; after: typeof one } {
  return { path, before: null, after: one };
}
