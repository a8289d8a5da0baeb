import { conformance } from "@fs/conformance/vitest";
import { SHORT } from "@fs/test-servers/variants";
import type { ContextHubBackend } from "../src/index.js";
import { startHub } from "./hub-harness.js";

const { open, harness } = await startHub();

// As it is by default: reads answer from the tree that is here. Every call is a request, so that the matrix is left out.
conformance<ContextHubBackend>(
  { ...harness, name: "hub, without other clients", reopen: ({ ns }) => open(ns) },
  SHORT,
);
