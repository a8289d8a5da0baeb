import { expect, test } from "vitest";
import { databaseError, isConnectionLoss, sqlState } from "../src/database-error.js";

const withCode = (code: string): Error =>
  Object.assign(new Error("secret of the server"), { code });

test.each([
  ["40001", "conflict", "Other clients"],
  ["53100", "quota_exceeded", "no room left"],
  ["55P03", "timeout", "held a lock"],
  ["57014", "timeout", "cancelled"],
  ["25006", "permission_denied", "accepts no writes"],
  ["53300", "unavailable", "no further connection"],
  ["42P01", "unavailable", "setup()"],
])("SQLSTATE %s is %s with a sentence of its own", (state, code, words) => {
  const error = databaseError(withCode(state));
  expect(error.code).toBe(code);
  expect(error.detail).toContain(words);
  expect(error.message).not.toContain("secret");
});

test("an errno of five letters is a lost connection and no SQLSTATE", () => {
  expect(sqlState(withCode("EPIPE"))).toBeUndefined();
  expect(isConnectionLoss(withCode("EPIPE"))).toBe(true);
  expect(isConnectionLoss(withCode("57P01"))).toBe(true);
  expect(isConnectionLoss(withCode("08006"))).toBe(true);
  expect(isConnectionLoss(withCode("57014"))).toBe(false);
  expect(isConnectionLoss(withCode("23505"))).toBe(false);
});
