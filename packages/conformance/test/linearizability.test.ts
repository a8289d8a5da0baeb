import { describe, expect, test } from "vitest";
import { linearize, type Call } from "../src/model/linearizability.js";
import { stepFile, type FileAnswer, type FileOperation } from "../src/model/register.js";

type Entry = [from: number, to: number, operation: FileOperation, answer: FileAnswer];

function explains(initial: string | undefined, ...entries: Entry[]): boolean {
  const history = entries.map(
    ([calledAt, answeredAt, operation, answer], client): Call<FileOperation, FileAnswer> => ({
      client,
      operation,
      answer,
      calledAt,
      answeredAt,
    }),
  );
  return linearize(history, initial, stepFile(false), String) !== undefined;
}

const read = { kind: "read" } as const;
const edit = (old: string, to: string): FileOperation => ({ kind: "edit", old, to, all: false });

describe("histories that some order explains", () => {
  test("a read beside a write may see either", () => {
    const write: Entry = [0, 3, { kind: "upload", text: "new" }, {}];
    expect(explains("old", write, [1, 2, read, { content: "old" }])).toBe(true);
    expect(explains("old", write, [1, 2, read, { content: "new" }])).toBe(true);
  });

  test("two edits that are both there", () => {
    expect(
      explains(
        "a b",
        [0, 2, edit("a", "1"), {}],
        [1, 3, edit("b", "2"), {}],
        [4, 5, read, { content: "1 2" }],
      ),
    ).toBe(true);
  });

  test("a call whose outcome nobody knows may have happened or not", () => {
    const lost: Entry = [0, 1, { kind: "upload", text: "new" }, { failed: "timeout" }];
    expect(explains("old", lost, [2, 3, read, { content: "old" }])).toBe(true);
    expect(explains("old", lost, [2, 3, read, { content: "new" }])).toBe(true);
  });

  test("a conflict changes nothing", () => {
    expect(
      explains("a", [0, 1, edit("a", "b"), { failed: "conflict" }], [2, 3, read, { content: "a" }]),
    ).toBe(true);
    expect(
      explains("a", [0, 1, edit("a", "b"), { failed: "conflict" }], [2, 3, read, { content: "b" }]),
    ).toBe(false);
  });
});

describe("histories that none does", () => {
  test("an acknowledged edit that left no trace", () => {
    expect(
      explains(
        "a b",
        [0, 2, edit("a", "1"), {}],
        [1, 3, edit("b", "2"), {}],
        [4, 5, read, { content: "a 2" }],
      ),
    ).toBe(false);
  });

  test("a stale read after an answered write", () => {
    expect(
      explains(
        "old",
        [0, 1, { kind: "upload", text: "new" }, {}],
        [2, 3, read, { content: "old" }],
      ),
    ).toBe(false);
  });

  test("two winners of one creation", () => {
    const write = (text: string): FileOperation => ({ kind: "write", text });
    expect(explains(undefined, [0, 2, write("1"), {}], [1, 3, write("2"), {}])).toBe(false);
  });

  test("a refusal that the rules do not know", () => {
    expect(explains("a", [0, 1, edit("a", "b"), { failed: "not_found" }])).toBe(false);
  });
});
