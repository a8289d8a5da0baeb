/** Thrown at construction when something is set up in a way that cannot work or would not be safe. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigurationError";
  }
}
