import { createHash } from "node:crypto";
import type { PermissionPrompt, PermissionRequest } from "@fs/protocol";
import { isRecord } from "@fs/tools";
import { interrupt } from "@langchain/langgraph";

/** What a run is paused with when a permission rule asks a human. */
export interface FilesystemInterrupt extends PermissionRequest {
  readonly type: "filesystem_permission";
  /** Names exactly this call, with the files of a directory. An answer may repeat it; then it is about nothing else. */
  readonly digest: string;
  /** Why the last answer was not taken. */
  readonly problem?: string;
}

/**
 * Pauses the run and lets a human decide. Resumed with `true`, `"approve"`, `{ type: "approve" }`, or the `decisions` of
 * LangChain's human-in-the-loop middleware, the call goes on; with anything else it is denied. A resumed run lists the files
 * of a directory anew, so an answer that repeats the `digest` of another question is asked for again.
 */
export const askHuman: PermissionPrompt = (request) => {
  const digest = digestOf(request);
  const question: FilesystemInterrupt = { type: "filesystem_permission", ...request, digest };
  let answer = interrupt<FilesystemInterrupt, unknown>(question);
  while (digestsIn(answer).some((about) => about !== digest))
    answer = interrupt<FilesystemInterrupt, unknown>({ ...question, problem: ANOTHER });
  return isApproval(answer);
};

const ANOTHER =
  "The answer is about another call, or about other files than there are now. Here it is as it is now.";

function digestOf({ method, operation, path, below, command }: PermissionRequest): string {
  const named = [method, operation, path, below?.toSorted() ?? null, command ?? null];
  return createHash("sha256").update(JSON.stringify(named)).digest("hex");
}

/** The digests that an answer repeats, for itself or in its decisions. */
function digestsIn(answer: unknown): readonly unknown[] {
  if (!isRecord(answer)) return [];
  const { digest, decisions } = answer;
  const inner: readonly unknown[] = Array.isArray(decisions) ? decisions.flatMap(digestsIn) : [];
  return digest === undefined ? inner : [digest, ...inner];
}

function isApproval(answer: unknown): boolean {
  if (answer === true || answer === "approve") return true;
  if (!isRecord(answer)) return false;
  if (answer["type"] === "approve") return true;
  const { decisions } = answer;
  return Array.isArray(decisions) && decisions.length > 0 && decisions.every(isApproval);
}
