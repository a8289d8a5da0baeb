import type { Faults } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { afterAll } from "vitest";
import type { ContextHubBackend } from "../src/index.js";
import type { Fault, RequestKind } from "@fs/test-servers/hub";
import { backendOn, clientOf } from "./hub-fixture.js";
import { HubServer } from "@fs/test-servers/hub";

const hub = await HubServer.start();
afterAll(() => hub.stop());

const changes: ReadonlySet<RequestKind> = new Set(["create", "commit"]);
const during =
  (fault: Fault, meets: (kind: RequestKind) => boolean = () => true) =>
  (): (() => void) =>
    hub.faults.during((kind) => (meets(kind) ? fault : undefined));
const whenChanging = (kind: RequestKind): boolean => changes.has(kind);

const faults: Faults = {
  cut: during({ drop: "before" }),
  // Never answered, also later.
  stall: during({ hang: "before" }),
  loseAnswers: during({ hang: "after" }, whenChanging),
  refuse: during({ status: 403 }),
  fill: during({ status: 413 }, whenChanging),
  readOnly: during({ status: 403 }, whenChanging),
};

function open(ns: string): ContextHubBackend {
  return backendOn(hub, `fails-${ns}`, {
    client: clientOf(hub, { timeoutMs: 600_000 }),
    coalesceMs: 0,
    maxAgeMs: 0,
    maxConflicts: 100,
    // Long enough for an answer on a busy machine; only the two faults that wait for it take so long.
    requestTimeoutMs: 1000,
    retry: { attempts: 2, firstDelayMs: 2 },
  });
}

conformance(
  {
    name: "hub that fails",
    create: ({ ns }) => open(ns),
    peer: ({ ns }) => open(ns),
    faults: () => faults,
    secrets: [hub.apiKey, "127.0.0.1"],
    profile: { content: "text", durable: true, times: "observed" },
  },
  // What is not answered takes seconds: see CONTRIBUTING.md.
  process.env["FS_TEST_ALL_FAULTS"] === "1"
    ? { only: "fault/*" }
    : {
        only: ["outage", "ls-*", "write-*", "move-over-*", "upload-files-*"].map(
          (name) => `fault/${name}`,
        ),
      },
);
