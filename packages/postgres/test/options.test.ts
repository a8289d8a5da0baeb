import { expect, test } from "vitest";
import { PostgresBackend } from "@fs/postgres";

const client = { connect: () => Promise.reject(new Error("never used")) };

test.each([
  [{}],
  [{ client, url: "postgres://127.0.0.1/x" }],
  [{ url: "" }],
  [{ url: 5 }],
  [{ client: "postgres://127.0.0.1/x" }],
  [{ pool: client }],
  [{ client, connectionString: "x" }],
  [{ client, namespace: "" }],
  [{ client, namespace: [] }],
  [{ client, namespace: ["a", 5] }],
  [{ client, table: "" }],
  [{ client, callTimeoutMs: Number.NaN }],
  [{ client, callTimeoutMs: "10" }],
  [{ client, connectTimeoutMs: -1 }],
  [{ client, writeMode: "replace" }],
  [{ client, maxFileBytes: Number.NaN }],
  [undefined],
  ["postgres://127.0.0.1/x"],
])("the options %j are a TypeError", (options) => {
  expect(() => Reflect.construct(PostgresBackend, [options])).toThrow(TypeError);
});
