import { randomInt } from "node:crypto";
import { createConnection, createServer } from "node:net";

// Below the range that Linux takes for outgoing connections: those cannot take the port of a server
// between kill() and restart(). And above it, plus 10000, nothing else of ours.
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** Servers that start later than they were given a port must not share it. */
const handedOut = new Set<number>();

/** A loopback port that nothing listens on, and that this process was not given before. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await canListen(port)) return port;
  }
  throw new Error("no free port on the loopback interface");
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1" }, () => {
      server.close(() => resolve(true));
    });
  });
}

export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => {
      socket.destroy();
      resolve(false);
    });
  });
}

/** A server that runs, but did not get as far as serving. */
export class NotReadyError extends Error {}

/** Tries before a server that finds its port taken, or does not become ready, is given up. */
const TRIES = 3;

/**
 * Starts a server, again when somebody else took its port between the choice and the start (test files run side by side), or
 * when it did not become ready.
 */
export async function withFreshPorts<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      const another =
        error instanceof NotReadyError ||
        (error instanceof Error && /address already in use|EADDRINUSE/i.test(error.message));
      if (!another || attempt === TRIES) throw error;
    }
  }
}
