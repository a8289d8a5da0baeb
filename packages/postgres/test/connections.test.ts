import { expect, test } from "vitest";
import { Connections } from "../src/connections.js";

/** A pool that counts what it has handed out and not got back. */
function countingPool() {
  const count = { out: 0 };
  const connect = async () => {
    await Promise.resolve();
    count.out++;
    return { query: async () => ({ rows: [] }), release: () => void count.out-- };
  };
  return { count, pool: { connect } };
}

test.each(Array.from({ length: 12 }, (_, moment) => moment))(
  "a call that is aborted after %i microtasks keeps no connection, or has it",
  async (moment) => {
    const { count, pool } = countingPool();
    const limits = { connectTimeoutMs: 1000, callTimeoutMs: 1000 };
    const connections = new Connections(async () => pool, limits);
    const controller = new AbortController();
    const taking = connections.take({ signal: controller.signal }).then(
      () => 1,
      () => 0,
    );
    for (let n = 0; n < moment; n++) await Promise.resolve();
    controller.abort();
    const held = await taking;
    await new Promise((resolve) => void setTimeout(resolve, 5));
    expect(count.out).toBe(held);
  },
);
