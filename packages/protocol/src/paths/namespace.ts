/**
 * One text for a namespace, a name or a path of names such as `[tenant, user]`, and never the same for two of them: `"a/b"`
 * is not `["a", "b"]`. Names are encoded as parts of a URL, which leaves letters, digits and `-_.` as they are.
 *
 * Throws a TypeError for no name, an empty one, or one that is no well-formed text without NUL.
 */
export function namespaceText(namespace: string | readonly string[]): string {
  const names: unknown = typeof namespace === "string" ? [namespace] : namespace;
  if (!Array.isArray(names) || names.length === 0)
    throw new TypeError("'namespace' must be a name, or a list of at least one name.");
  return names.map(encodedName).join("/");
}

function encodedName(name: unknown): string {
  if (typeof name !== "string" || name === "" || name.includes("\0") || !name.isWellFormed())
    throw new TypeError("Each name of 'namespace' must be a text that is not empty.");
  return encodeURIComponent(name);
}
