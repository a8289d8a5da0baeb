import { expect, test } from "vitest";
import { briefly, inFull, textOf, type BriefReport } from "../../conformance/brief-report.mjs";

const REPORT = {
  schema: 1,
  backend: { name: "any" },
  cases: [
    { id: "read/one", rules: ["R1"], status: "pass", ms: 3 },
    { id: "read/two", rules: ["R1"], status: "untested", reason: "no peer", ms: 3 },
    { id: "read/three", rules: ["R1"], status: "pass", ms: 3 },
    { id: "write/one", rules: ["W1"], status: "not-applicable", reason: "no peer", ms: 3 },
    { id: "write/two", rules: ["W1"], status: "untested", reason: "no peer", ms: 3 },
    {
      id: "write/three",
      rules: ["W1", "A7"],
      status: "fail",
      failure: { message: `expected this\n${"x".repeat(999)}`, transcript: ["write"] },
      ms: 3,
    },
    { id: "edit/one", rules: ["E1"], status: "error", reason: "y".repeat(999), ms: 3 },
  ],
};

const kept = JSON.parse(textOf(briefly(REPORT))) as BriefReport;

test("a report that is kept has one passed case of each group, and the others by their reasons", () => {
  expect(kept).toEqual({
    schema: 1,
    backend: { name: "any" },
    passed: ["read/one"],
    unpassed: [
      { status: "untested", reason: "no peer", ids: ["read/two", "write/two"] },
      { status: "not-applicable", reason: "no peer", ids: ["write/one"] },
      {
        status: "fail",
        rules: ["W1", "A7"],
        failure: { message: "expected this" },
        ids: ["write/three"],
      },
      { status: "error", rules: ["E1"], reason: "y".repeat(300), ids: ["edit/one"] },
    ],
  });
});

test("it is a report again", () => {
  expect(inFull(kept)).toMatchObject({ schema: 1, backend: { name: "any" } });
  expect(inFull(kept).cases).toEqual([
    { id: "read/one", rules: [], status: "pass" },
    { id: "read/two", rules: [], status: "untested", reason: "no peer" },
    { id: "write/two", rules: [], status: "untested", reason: "no peer" },
    { id: "write/one", rules: [], status: "not-applicable", reason: "no peer" },
    {
      id: "write/three",
      rules: ["W1", "A7"],
      status: "fail",
      failure: { message: "expected this" },
    },
    { id: "edit/one", rules: ["E1"], status: "error", reason: "y".repeat(300) },
  ]);
});

test("one of which everything passed is written as JSON too", () => {
  const text = textOf(briefly({ cases: [{ id: "read/one", rules: [], status: "pass" }] }));
  expect(JSON.parse(text)).toEqual({ passed: ["read/one"], unpassed: [] });
});
