import { readdirSync, readFileSync } from "node:fs";
import { ERROR_CODES } from "@fs/protocol";
import { expect, test } from "vitest";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));

interface Shape {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

const { $defs } = read("spec/case.schema.json") as { $defs: Record<"case" | "step", Shape> };
const files = readdirSync(new URL("../cases/", import.meta.url));

function problems(shape: Shape, value: object): string[] {
  const names = Object.keys(value);
  return [
    ...shape.required.filter((name) => !names.includes(name)).map((name) => `lacks ${name}`),
    ...names.filter((name) => !(name in shape.properties)).map((name) => `has ${name}`),
  ];
}

test.each(files)("%s has the fields of the schema, and well-formed texts", (file) => {
  const cases = read(`cases/${file}`) as Array<{ id: string; when: object[] }>;
  for (const one of cases) {
    expect([one.id, problems($defs.case, one)]).toEqual([one.id, []]);
    for (const step of one.when) expect([one.id, problems($defs.step, step)]).toEqual([one.id, []]);
    // Strict parsers refuse halves of pairs: they are spelt {"$utf16": […]}.
    expect(JSON.stringify(one)).not.toMatch(/\\ud[89a-f]/);
  }
});

test("the guard's codes are those of the protocol", () => {
  const { codes } = read("spec/guard.json") as { codes: string[] };
  expect(codes).toEqual([...ERROR_CODES]);
});
