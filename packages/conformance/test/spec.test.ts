import { readFileSync } from "node:fs";
import { allCases, rules } from "@fs/conformance";
import { expect, test } from "vitest";
import { extractRules } from "../scripts/extract-rules.mjs";

const semantics = readFileSync(new URL("../../../docs/semantics.md", import.meta.url), "utf8");

test("the rules in the package are those of docs/semantics.md", () => {
  // When this fails: node packages/conformance/scripts/extract-rules.mjs
  expect(rules()).toEqual(extractRules(semantics));
});

test("every cited rule exists", () => {
  const known = new Set(Object.keys(rules()));
  const unknown = allCases().flatMap(({ id, rules: cited }) =>
    cited.filter((rule) => !known.has(rule)).map((rule) => `${id} cites ${rule}`),
  );
  expect(unknown).toEqual([]);
});

test("IDs are group/name", () => {
  const odd = allCases().filter(({ id }) => !/^[a-z-]+\/[a-z0-9-]+$/.test(id));
  expect(odd.map(({ id }) => id)).toEqual([]);
});

test("every rule is cited by a case", () => {
  const cited = new Set(allCases().flatMap((tested) => tested.rules));
  expect(Object.keys(rules()).filter((rule) => !cited.has(rule))).toEqual([]);
});
