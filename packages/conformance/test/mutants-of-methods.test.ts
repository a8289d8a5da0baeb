import { expect, test } from "vitest";
import { everyMutantDies } from "./mutants/every-mutant-dies.js";
import { MUTANTS } from "./mutants/index.js";

everyMutantDies((rule) => !rule.startsWith("A"));

test("there are enough of them, each with a name of its own", () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(230);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});
