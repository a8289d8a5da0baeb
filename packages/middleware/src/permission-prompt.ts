import type { PermissionPrompt, PermissionRequest } from "@fs/protocol";
import { isRecord } from "@fs/tools";
import { interrupt } from "@langchain/langgraph";

/** What a run is paused with when a permission rule asks a human. */
export interface FilesystemInterrupt extends PermissionRequest {
  readonly type: "filesystem_permission";
}

/**
 * Pauses the run and lets a human decide. Resumed with `true`, `"approve"`, `{ type: "approve" }`, or the `decisions` of
 * LangChain's human-in-the-loop middleware, the call goes on; with anything else it is denied.
 */
export const askHuman: PermissionPrompt = (request) => {
  const question: FilesystemInterrupt = { type: "filesystem_permission", ...request };
  return isApproval(interrupt<FilesystemInterrupt, unknown>(question));
};

function isApproval(answer: unknown): boolean {
  if (answer === true || answer === "approve") return true;
  if (!isRecord(answer)) return false;
  if (answer["type"] === "approve") return true;
  const { decisions } = answer;
  return Array.isArray(decisions) && decisions.length > 0 && decisions.every(isApproval);
}
