import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openFaultyLink, type FaultyLink } from "../src/faulty-link.js";

const servers: Server[] = [];
const links: FaultyLink[] = [];
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  for (const link of links.splice(0)) await link.stop();
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers what it gets, after a name of its own. */
async function echo(name: string): Promise<{ port: number; received: string[] }> {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received.push(bytes.toString());
      socket.write(`${name}:${bytes.toString()}`);
    });
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { port: address.port, received };
}

async function open(port: number): Promise<FaultyLink> {
  const link = await openFaultyLink(port);
  links.push(link);
  return link;
}

async function connected({ port }: FaultyLink): Promise<Socket> {
  const client = createConnection(port, "127.0.0.1");
  clients.push(client);
  await once(client, "connect");
  return client;
}

async function asked(client: Socket, text: string): Promise<string> {
  client.write(text);
  return String((await once(client, "data"))[0]);
}

test("passes on, stalls without a loss, and ends connections", async () => {
  const link = await open((await echo("one")).port);
  const client = await connected(link);
  expect(await asked(client, "a")).toBe("one:a");
  link.stall();
  const waiting = asked(client, "b");
  const late = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 50))]);
  expect(late).toBeUndefined();
  await link.heal();
  expect(await waiting).toBe("one:b");
  link.cut();
  await once(client, "close");
  expect(await asked(await connected(link), "c")).toBe("one:c");
});

test("refuses connections until it is healed", async () => {
  const link = await open((await echo("one")).port);
  await link.refuse();
  await expect(connected(link)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await link.heal();
  expect(await asked(await connected(link), "a")).toBe("one:a");
});

test("loses the answer to what the server got", async () => {
  const { port, received } = await echo("one");
  const link = await open(port);
  const client = await connected(link);
  link.loseAnswers();
  client.write("a");
  await once(client, "close");
  expect(received).toEqual(["a"]);
});

test("leads to another server", async () => {
  const link = await open((await echo("one")).port);
  const client = await connected(link);
  link.redirect((await echo("two")).port);
  await once(client, "close");
  expect(await asked(await connected(link), "a")).toBe("two:a");
});
