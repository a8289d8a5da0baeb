import { conformance } from "@fs/conformance/vitest";
import type { ContextHubBackend } from "../src/index.js";
import { backendOn, clientOf } from "./hub-fixture.js";
import { HubServer } from "./hub-server.js";

const hub = await HubServer.start();

/** A repository of its own per case; the Hub takes lower-case letters, digits and dashes. */
function open(ns: string): ContextHubBackend {
  // Another client of the same repository sees every commit at once, so reads must not answer from an older tree.
  return backendOn(hub, `case-${ns}`, { maxAgeMs: 0, coalesceMs: 0, client: clientOf(hub) });
}

conformance<ContextHubBackend>(
  {
    name: "hub",
    create: ({ ns }) => open(ns),
    peer: ({ ns }) => open(ns),
    reopen: ({ ns }) => open(ns),
    teardown: () => hub.stop(),
    meter: () => ({ requests: hub.requests.length }),
    secrets: [hub.apiKey, "127.0.0.1"],
    profile: { content: "text", durable: true },
  },
  {
    onReport: (report) => {
      if (report.levels.core !== "earned") throw new Error(`core is ${report.levels.core}`);
    },
  },
);
