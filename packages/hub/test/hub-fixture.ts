import { Client } from "langsmith";
import { ContextHubBackend, type ContextHubBackendOptions } from "../src/index.js";
import type { HubServer } from "@fs/test-servers/hub";

/** The real client, pointed at the loopback Hub. */
export function clientOf(
  hub: HubServer,
  config: { apiKey?: string; timeoutMs?: number } = {},
): Client {
  return new Client({
    apiUrl: hub.url,
    apiKey: config.apiKey ?? hub.apiKey,
    timeout_ms: config.timeoutMs ?? 10_000,
    autoBatchTracing: false,
  });
}

/** A backend on the loopback Hub that loses no time. */
export function backendOn(
  hub: HubServer,
  name: string,
  options: ContextHubBackendOptions = {},
): ContextHubBackend {
  return new ContextHubBackend(name, {
    client: clientOf(hub),
    coalesceMs: 2,
    retry: { attempts: 4, firstDelayMs: 2 },
    ...options,
  });
}
