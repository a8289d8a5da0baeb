import type { McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import type { ChangeFeed } from "./change-feed.js";

/**
 * Tells the client of one connection of changed files. A client of the newer era listens, and the SDK chooses what it
 * hears; one of the older era subscribes to single files.
 */
export function serveSubscriptions(
  { server }: McpServer,
  changes: ChangeFeed,
  era: McpRequestContext["era"],
  onError: (error: unknown) => void,
): void {
  server.registerCapabilities({ resources: { subscribe: true } });
  const subscribed = new Set<string>();
  let stop: (() => void) | undefined;
  const announce = (uri: string): void => {
    if (era === "modern" || subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(onError);
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
