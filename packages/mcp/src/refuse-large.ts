import type { IncomingMessage, ServerResponse } from "node:http";

/** How many times the limit is read and thrown away before the connection is cut. */
const PATIENCE = 16;

/**
 * Answers a request whose declared length is too large, and returns whether it did. What the client is sending is read first
 * and thrown away: one whose connection is closed while it sends never sees the answer.
 */
export function refuseLarge(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): boolean {
  if (!(Number(request.headers["content-length"]) > maxBytes)) return false;
  const message = `Payload Too Large: Request body must not exceed ${maxBytes} bytes`;
  const body = { jsonrpc: "2.0", error: { code: -32_000, message }, id: null };
  const answer = (): void => {
    if (response.headersSent) return;
    response.writeHead(413, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify(body));
  };
  let read = 0;
  request.on("data", (chunk: Buffer) => {
    read += chunk.length;
    if (read > maxBytes * PATIENCE) answer();
  });
  request.once("end", answer);
  return true;
}
