import { readFileSync } from "node:fs";

let loaded: Readonly<Record<string, string>> | undefined;

/** The rules of `docs/semantics.md` by number, as this version of the suite knows them. */
export function rules(): Readonly<Record<string, string>> {
  loaded ??= JSON.parse(
    readFileSync(new URL("../../spec/rules.json", import.meta.url), "utf8"),
  ) as Record<string, string>;
  return loaded;
}

/** The sentences of a rule such as `"E2"`, or `undefined` where there is no such rule. */
export function ruleText(rule: string): string | undefined {
  const known = rules();
  return Object.hasOwn(known, rule) ? known[rule] : undefined;
}
