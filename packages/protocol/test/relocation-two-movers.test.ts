import { describe, expect, test } from "vitest";
import { expectOutcomes, moved, outcomes, removed, uploaded } from "./two-clients.js";

const over = moved("/from", "/to");
const onto = moved("/from", "/to", false);
const FILES = { "/from": "moved", "/to": "old" };

describe.each([
  { named: true, storage: "names its writes" },
  { named: false, storage: "has nothing but hashes" },
])("of two clients of a storage that $storage, each stopped between any two calls", ({ named }) => {
  /** What the late one answers, with what it leaves; with hashes alone also as if it had seen all. */
  const either = (right: readonly string[], unclear: readonly string[]): readonly string[] =>
    named ? right : [...right, ...unclear];

  test("that move one file over another one, one has moved it, and it is there (M6, A7)", async () => {
    const seen = await outcomes({ files: FILES, changes: [over, over] }, named);
    expectOutcomes(seen, named, [
      "done, not_found: /to moved",
      "not_found, done: /to moved",
      ...either(
        ["conflict, done: /to moved", "done, conflict: /to moved"],
        ["unavailable, done: /to moved", "done, unavailable: /to moved"],
      ),
    ]);
  });

  test("of which one may only create, neither takes back what the other has moved", async () => {
    const files = { "/from": "moved" };
    const seen = [
      ...(await outcomes({ files, changes: [onto, over] }, named)),
      ...(await outcomes({ files, changes: [over, onto] }, named)),
    ];
    expectOutcomes(seen, named, [
      "already_exists, done: /to moved",
      "done, already_exists: /to moved",
      "done, not_found: /to moved",
      "not_found, done: /to moved",
      ...either(
        ["conflict, done: /to moved", "done, conflict: /to moved"],
        ["unavailable, done: /to moved", "done, unavailable: /to moved"],
      ),
    ]);
  });

  test("of which one moves it elsewhere, what was replaced is restored, or the copy stays (M5, M6)", async () => {
    const changes = [over, moved("/from", "/else")] as const;
    expectOutcomes(await outcomes({ files: FILES, changes }, named), named, [
      "done, not_found: /to moved",
      "not_found, done: /else moved, /to old",
      ...either(
        ["conflict, done: /else moved, /to old", "done, conflict: /to moved"],
        ["done, unavailable: /else moved, /to moved", "unavailable, done: /else moved, /to moved"],
      ),
    ]);
  });

  test("of which one removes it, what was replaced is restored, or the copy stays (M5, M6)", async () => {
    expectOutcomes(await outcomes({ files: FILES, changes: [over, removed] }, named), named, [
      "done, not_found: /to moved",
      "not_found, done: /to old",
      ...either(["conflict, done: /to old"], ["unavailable, done: /to moved"]),
    ]);
  });

  test("of which one changes it, what was replaced is restored (M5)", async () => {
    const changes = [over, uploaded("/from", "new")] as const;
    expect(await outcomes({ files: FILES, changes }, named)).toEqual([
      "conflict, done: /from new, /to old",
      "done, done: /from new, /to moved",
      "done, done: /to new",
    ]);
  });

  test.each(["moved", "stored"])("of which one stores %j at the destination", async (text) => {
    const changes = [over, uploaded("/to", text)] as const;
    const seen = await outcomes({ files: FILES, changes }, named);
    const expected = [...new Set(["done, done: /to moved", `done, done: /to ${text}`])];
    expect(seen).toEqual(expected);
  });

  test("of which one fails to move a directory, the other has moved a file of it (M2, M6)", async () => {
    const files = { "/d/a": "moved", "/d/b": "stuck", "/to/a": "old", "/to/b": "old" };
    const changes = [moved("/d", "/to"), moved("/d/a", "/to/a")] as const;
    // Right before the second removes its source it looks for the last time: what comes after that no storage without a change
    // of two files at once can see.
    const looked = named ? [7] : [7, 8];
    const seen = await outcomes(
      { files, changes, closed: "/to/b" },
      named,
      ([, among]) => !looked.includes(among),
    );
    expect(seen).toEqual([
      "permission_denied, conflict: /d/a moved, /d/b stuck, /to/a old, /to/b old",
      "permission_denied, done: /d/b stuck, /to/a moved, /to/b old",
    ]);
  });
});
