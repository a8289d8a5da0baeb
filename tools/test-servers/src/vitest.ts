import { describe, test } from "vitest";
import { announceSkip, skipReason, type Requirement } from "./requirements.js";

/**
 * A `describe` that runs only where its requirements are met. Elsewhere its tests count as skipped
 * and the reason is printed; under `CI=true` it is one failing test instead.
 *
 * @example
 * describeWithServer("postgres", "PostgresBackend", () => {
 *   let server: TestServer<PostgresInfo>;
 *   beforeAll(async () => { server = await startPostgres(); });
 *   afterAll(() => server.stop());
 *   test("…", () => {});
 * });
 */
export function describeWithServer(
  requirements: Requirement | readonly Requirement[],
  title: string,
  suite: () => void,
): void {
  const list = typeof requirements === "string" ? [requirements] : requirements;
  let reason: string | undefined;
  try {
    reason = skipReason(...list);
  } catch (error) {
    describe(title, () => {
      test("has what it needs from the machine", () => {
        throw error;
      });
    });
    return;
  }
  if (reason === undefined) {
    describe(title, suite);
    return;
  }
  announceSkip(title, reason);
  describe.skip(`${title} (${reason})`, suite);
}
