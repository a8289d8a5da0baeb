import { readFileSync } from "node:fs";
import { allCases } from "@fs/conformance";
import { METHODS } from "@fs/protocol";
import { expect, test } from "vitest";
import { cells, cellsPage } from "../src/matrix/page.js";
import { ROWS } from "../src/matrix/rows.js";

test("every cell of the matrix is a case, or says why not", () => {
  const ids = new Set(allCases().map(({ id }) => id));
  const empty = cells().filter(({ id, why }) => (id === undefined ? !why : !ids.has(id)));
  expect(empty).toEqual([]);
});

test("every method of the protocol has a row", () => {
  const withRow = new Set<string>(ROWS.map(({ method }) => method));
  const without = Object.keys(METHODS).filter((method) => !withRow.has(method));
  expect(without).toEqual(["execute"]);
});

test("the page is that of these tables", () => {
  const page = readFileSync(new URL("../../../docs/conformance-cells.md", import.meta.url), "utf8");
  expect(page).toBe(cellsPage());
});
