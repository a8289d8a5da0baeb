import { CONFIG_SCHEMA } from "@fs/config";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("publishes the schema that it checks with", () => {
  const file = new URL("../schema/fs.config.schema.json", import.meta.url);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(CONFIG_SCHEMA);
});
