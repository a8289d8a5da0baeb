import { VolumeError } from "@fs/protocol/author";

/**
 * The coded error for anything a client threw. The cause keeps the server's sentence for the operator, but not the command:
 * its arguments are file contents, or a password.
 */
export function coded(error: unknown): VolumeError {
  if (VolumeError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const cause = new Error(message);
  if (error instanceof Error) cause.name = error.name;
  return new VolumeError(codeOf(message), undefined, { cause });
}

function codeOf(
  message: string,
): "quota_exceeded" | "permission_denied" | "timeout" | "unavailable" {
  if (message.startsWith("OOM ")) return "quota_exceeded";
  if (message.startsWith("NOPERM ")) return "permission_denied";
  if (message === "Command timed out") return "timeout";
  return "unavailable";
}

/** Tells whether a server answered that it does not know a script. */
export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
