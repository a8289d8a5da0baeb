import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listens } from "../src/listener.js";

const server = createServer();
let sleeper: ChildProcess | undefined;
// Not before: where no test of the file is asked for, nothing would end it.
beforeAll(async () => {
  sleeper = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  sleeper?.kill();
});

test.runIf(existsSync("/proc/net/tcp"))(
  "a process listens on its own port, and not on another's",
  async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A server on TCP has a port.
    const { port } = server.address() as AddressInfo;
    expect(await listens(process.pid, port)).toBe(true);
    expect(await listens(sleeper?.pid ?? 0, port)).toBe(false);
    expect(await listens(process.pid, port + 1)).toBe(false);
  },
);
