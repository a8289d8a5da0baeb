import type { McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import type { ChangeFeed, ChangeListener } from "./change-feed.js";

/**
 * Tells a client of changed files. A client of the newer era listens, and the SDK chooses what it hears; one of the older
 * era subscribes to single files, on a connection that lasts: over HTTP, where each request has a server of its own, it is
 * told that it cannot.
 */
export function serveSubscriptions(
  mcp: McpServer,
  changes: ChangeFeed,
  { era, requestInfo }: McpRequestContext,
  onError: (error: unknown) => void,
): void {
  if (requestInfo === undefined) return announceOn(mcp, changes, era, onError);
  // Who serves the requests announces to all that listen.
  if (era === "modern") mcp.server.registerCapabilities({ resources: { subscribe: true } });
}

/** Announces on one connection for as long as it lasts. */
function announceOn(
  { server }: McpServer,
  changes: ChangeFeed,
  era: McpRequestContext["era"],
  onError: (error: unknown) => void,
): void {
  server.registerCapabilities({ resources: { subscribe: true } });
  const subscribed = new Set<string>();
  let stop: (() => void) | undefined;
  const announce: ChangeListener = (uri) => {
    // A server that is made only to be looked at never gets a connection.
    if (server.transport === undefined) return;
    if (uri === undefined) server.sendResourceListChanged().catch(onError);
    else if (era === "modern" || subscribed.has(uri))
      server.sendResourceUpdated({ uri }).catch(onError);
  };
  const closed = server.onclose;
  // oxlint-disable-next-line prefer-add-event-listener -- it is no event target.
  server.onclose = () => {
    stop?.();
    closed?.();
  };
  if (era === "modern") {
    stop = changes.listen(announce);
    return;
  }
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    stop ??= changes.listen(announce);
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}
