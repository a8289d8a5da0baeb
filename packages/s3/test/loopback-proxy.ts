import {
  createServer,
  request,
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback that stands before a gateway. */
export interface LoopbackProxy {
  readonly endpoint: string;
  /** Deals with a request as if it had just come. */
  again(incoming: IncomingMessage, outgoing: ServerResponse): void;
  stop(): Promise<void>;
}

/** Starts a proxy at a port that the system gives. */
export async function startLoopbackProxy(listener: RequestListener): Promise<LoopbackProxy> {
  const server = createServer(listener);
  const again = (incoming: IncomingMessage, outgoing: ServerResponse): void =>
    void server.emit("request", incoming, outgoing);
  // The SDK waits for this before it sends a body of any size.
  server.on("checkContinue", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeContinue();
    again(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    again,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends a request on as it is: the signature covers the host that the client meant. */
export function sendOn(target: URL, incoming: IncomingMessage): ClientRequest {
  const { method, url, headers } = incoming;
  const { expect: _, ...passed } = headers;
  const upstream = request({
    host: target.hostname,
    port: target.port,
    method,
    path: url,
    headers: passed,
  });
  upstream.on("error", () => incoming.socket.destroy());
  incoming.pipe(upstream);
  return upstream;
}

/** How S3 refuses. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** Takes the rest of a request, and refuses it. */
export function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  refusal: Refusal,
): void {
  incoming.resume();
  incoming.once("end", () => sendRefusal(incoming, outgoing, refusal));
}

export function sendRefusal(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, code }: Refusal,
): void {
  outgoing.writeHead(status, { "content-type": "application/xml" });
  outgoing.end(
    incoming.method === "HEAD"
      ? undefined
      : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret-host.internal says no</Message></Error>`,
  );
}
