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

/** Rules that no caller of a single backend can see broken, with where they are tested instead. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  M10: "a weaker guarantee, stated so that nobody expects more",
  O1: "the wrappers of @fs/protocol",
  O2: "the wrappers of @fs/protocol",
  O3: "the wrappers of @fs/protocol",
  O4: "the wrappers of @fs/protocol",
  O5: "the wrappers of @fs/protocol",
};

test("every rule is cited by a case, or says where it is tested", () => {
  const cited = new Set(allCases().flatMap((tested) => tested.rules));
  const uncited = Object.keys(rules()).filter((rule) => !cited.has(rule));
  expect(uncited).toEqual(Object.keys(ELSEWHERE));
});
