/** A repository of the Hub, and the commit of it that is meant. */
export interface HubTarget {
  /** What the client takes: `owner/name`, or `name` for the workspace of the key. */
  readonly repository: string;
  /** A commit hash or tag; absent means the latest commit. */
  readonly version?: string | undefined;
}

/**
 * Reads `name`, `owner/name`, `name:version` or `owner/name:version`, the grammar of the langsmith client; the version
 * `latest` is none.
 *
 * @throws {TypeError} When the identifier is none of them: a mistake in the program, found before any request.
 */
export function parseIdentifier(identifier: string): HubTarget {
  const match = /^((?:[\w-][\w.-]*\/)?[\w-][\w.-]*)(?::([^/:\s]+))?$/.exec(identifier);
  const repository = match?.[1];
  if (repository === undefined) {
    throw new TypeError(
      "A Hub repository is named 'name' or 'owner/name', with an optional ':commit' to read one commit.",
    );
  }
  const version = match?.[2];
  return { repository, version: version === "latest" ? undefined : version };
}

/**
 * The commit hash in the URL that a push answers with, of which the client keeps 8 characters. `undefined` when the URL has
 * another shape: then only a pull tells.
 */
export function commitOfUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return /[/:]([0-9a-f]{8,64})$/.exec(decodeURIComponent(new URL(url).pathname))?.[1];
}
