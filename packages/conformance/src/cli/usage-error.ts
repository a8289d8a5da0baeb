/** The command cannot be done as it was written. The message is for the person who wrote it; the exit code is 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
