import type { Harness } from "@fs/conformance";
import type { ContextHubBackend, ContextHubBackendOptions } from "../src/index.js";
import { backendOn } from "./hub-fixture.js";
import { HubServer } from "@fs/test-servers/hub";

/** A server of its own, stopped with the harness, and a backend for each namespace. */
export async function startHub(): Promise<{
  hub: HubServer;
  nameOf: (ns: string) => string;
  open: (ns: string, options?: ContextHubBackendOptions) => ContextHubBackend;
  harness: Harness<ContextHubBackend>;
}> {
  const hub = await HubServer.start();
  const nameOf = (ns: string): string => `case-${ns}`;
  const open = (ns: string, options: ContextHubBackendOptions = {}): ContextHubBackend =>
    backendOn(hub, nameOf(ns), { coalesceMs: 0, ...options });
  const harness: Harness<ContextHubBackend> = {
    name: "hub",
    create: ({ ns }) => open(ns),
    meter: () => ({ requests: hub.requests.length }),
    teardown: () => hub.stop(),
    secrets: [hub.apiKey, "127.0.0.1"],
    profile: { content: "text", durable: true, times: "observed" },
  };
  return { hub, nameOf, open, harness };
}
