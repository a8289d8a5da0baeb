import { ConfigurationError } from "@fs/protocol";

/** Throws a ConfigurationError unless every path is absolute and names no parent. */
export function checkPaths(option: string, paths: unknown): asserts paths is readonly string[] {
  if (!Array.isArray(paths)) throw new ConfigurationError(`'${option}' must be a list of paths.`);
  for (const path of paths as unknown[]) {
    if (typeof path !== "string" || !path.startsWith("/"))
      throw new ConfigurationError(
        `'${option}' must hold absolute paths of the backend, such as '/memories/AGENTS.md', not ${JSON.stringify(path)}.`,
      );
    if (path.includes("\0") || path.split("/").includes(".."))
      throw new ConfigurationError(
        `'${option}' must not hold '..' or NUL: ${JSON.stringify(path)}.`,
      );
  }
}
