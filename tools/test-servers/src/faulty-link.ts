import { createConnection, createServer, type Server, type Socket } from "node:net";
import { freePort, withFreshPorts } from "./ports.js";

/** A way to a server on loopback that can fail as networks and servers do. */
export interface FaultyLink {
  /** Where clients connect. Stays the same over every fault. */
  readonly port: number;
  /** Ends every fault: connections are taken, and what waited is passed on. */
  heal(): Promise<void>;
  /** Ends every connection now. New ones are taken. */
  cut(): void;
  /** Ends every connection and refuses new ones, as where nothing listens, until it is healed. */
  refuse(): Promise<void>;
  /** Passes nothing on in either direction until it is healed. Nothing is lost. */
  stall(): void;
  /** Passes on what clients send; ends a connection at the first answer instead of passing that on. */
  loseAnswers(): void;
  /** Leads new connections to another port from now on, as an address that moves in a failover. Ends those that are open. */
  redirect(target: number): void;
  /** Ends everything. */
  stop(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** Opens a link to `127.0.0.1:target` on a free port. */
export function openFaultyLink(target: number): Promise<FaultyLink> {
  return withFreshPorts(() => openOnce(target));
}

async function openOnce(target: number): Promise<FaultyLink> {
  const pairs = new Set<Pair>();
  let mode: "pass" | "stall" | "lose-answers" = "pass";

  const end = ({ client, server }: Pair): void => {
    client.destroy();
    server.destroy();
  };
  const cut = (): void => {
    for (const pair of pairs) end(pair);
  };
  let current = target;
  const accept = (client: Socket): void => {
    const server = createConnection(current, "127.0.0.1");
    const pair: Pair = { client, server };
    pairs.add(pair);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      // Either end may vanish at any time; the other one is then ended too.
      from.on("error", () => end(pair));
      from.once("close", () => {
        end(pair);
        pairs.delete(pair);
      });
      from.once("end", () => to.end());
      from.on("data", (bytes) => {
        if (from === server && mode === "lose-answers") end(pair);
        else if (!to.write(bytes)) {
          from.pause();
          to.once("drain", () => {
            if (mode !== "stall") from.resume();
          });
        }
      });
      if (mode === "stall") from.pause();
    }
  };

  // Not one that the system gives: it may be another's outgoing port by the time that it is listened on again.
  const port = await freePort();
  let listener: Server = await listen(accept, port);
  const close = async (): Promise<void> => {
    const closing = listener;
    if (!closing.listening) return;
    await new Promise<void>((resolve) => {
      closing.close(() => resolve());
      cut();
    });
  };
  return {
    port,
    cut,
    async heal() {
      mode = "pass";
      for (const { client, server } of pairs) {
        client.resume();
        server.resume();
      }
      if (!listener.listening) listener = await listen(accept, port);
    },
    refuse: close,
    stall() {
      mode = "stall";
      for (const { client, server } of pairs) {
        client.pause();
        server.pause();
      }
    },
    loseAnswers() {
      mode = "lose-answers";
    },
    redirect(to) {
      current = to;
      cut();
    },
    stop: close,
  };
}

function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
