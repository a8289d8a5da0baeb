/** The command line cannot mean anything. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
