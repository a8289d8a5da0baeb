import { type FilesystemMiddlewareOptions, memoryByThread } from "@fs/middleware";
import type { Shared } from "../stack.js";

/** With staging, an agent and its subagents work on the same staged files. */
export function withSharedStaging<T extends Pick<FilesystemMiddlewareOptions, "staging">>(
  filesystem: T,
): T {
  const { staging } = filesystem;
  // What is no approval in memory is as it was given: wrong options are refused where they are checked.
  if (typeof staging !== "object" || staging === null) return filesystem;
  if (staging.approve !== true || staging.upper !== undefined) return filesystem;
  return { ...filesystem, staging: { ...staging, upper: memoryByThread() } };
}

/** What subagents get: a person is asked once, when the main agent ends its turn. */
export function withoutApproval(shared: Shared): Shared {
  const { staging } = shared.filesystem;
  if (typeof staging !== "object" || staging === null) return shared;
  return {
    ...shared,
    filesystem: { ...shared.filesystem, staging: { ...staging, approve: false } },
  };
}
