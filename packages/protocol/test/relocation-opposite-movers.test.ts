import { describe, expect, test } from "vitest";
import { type Change, copied, moved, outcomes, uploaded } from "./two-clients.js";

const there = moved("/a", "/b");
const back = moved("/b", "/a");

/** What is left, without what the clients answered. */
const filesOf = (outcome: string): string => outcome.slice(outcome.indexOf(":"));

describe("of two clients of a storage that names its writes, each stopped between any two calls", () => {
  test("that move two files over each other, neither removes what the other has moved (M5, A7)", async () => {
    const files = { "/a": "one", "/b": "two" };
    const right = [
      "conflict, conflict: /a one, /b two",
      "conflict, done: /a two",
      "done, conflict: /b one",
      "done, done: /a one",
      "done, done: /b two",
      // One has stopped before its removal for as long as the other took for its whole move.
      "done, unavailable: /b two",
      "unavailable, conflict: /a one, /b one",
      "unavailable, done: /a one",
    ];
    const seen = await outcomes({ files, changes: [there, back] }, true);
    expect(right).toEqual(expect.arrayContaining(seen));
    expect(seen).toEqual(expect.arrayContaining(right.slice(0, 5)));
  });

  test.each<[string, Change, readonly string[]]>([
    ["copies one of them over the other", copied("/a", "/b"), ["/a one, /b one", "/b one"]],
    ["stores the content of one again", uploaded("/a", "one"), ["/a one, /b two", "/b two"]],
  ])("that do so while a third %s, nothing is lost", async (_, third, expected) => {
    const files = { "/a": "one", "/b": "two" };
    const seen = await outcomes({ files, changes: [there, back], third }, true);
    for (const outcome of seen) expect(filesOf(outcome)).toMatch(/one|two/);
    for (const left of [...expected, "/a one"]) expect(seen.map(filesOf)).toContain(`: ${left}`);
  });
});

describe.each([true, false])("of two clients of a storage of hashes, named: %s", (named) => {
  test("that move two files of one content over each other, it is left (M5, A7)", async () => {
    const files = { "/a": "same", "/b": "same" };
    const seen = await outcomes({ files, changes: [there, back] }, named);
    for (const outcome of seen) expect(filesOf(outcome)).toMatch(/same/);
    expect(seen).toEqual(expect.arrayContaining(["done, done: /a same", "done, done: /b same"]));
  });

  test("that move two files over each other, one of them is left", async () => {
    const files = { "/a": "one", "/b": "two" };
    const seen = await outcomes({ files, changes: [there, back] }, named);
    for (const outcome of seen) expect(filesOf(outcome)).toMatch(/one|two/);
  });
});
