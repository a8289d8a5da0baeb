/**
 * A namespace as one name below the prefix: its components, each encoded, joined by commas. No two namespaces have the same
 * name, and no name lies below another's, so that `org` never sees `["org", "alice"]`.
 *
 * Throws a TypeError for an empty namespace, an empty component and half of a surrogate pair.
 */
export function namespaceName(namespace: string | readonly string[]): string {
  const components: readonly unknown[] = typeof namespace === "string" ? [namespace] : namespace;
  if (!Array.isArray(components) || components.length === 0)
    throw new TypeError("The namespace must be a string, or a list of at least one.");
  return components.map(encoded).join(",");
}

function encoded(component: unknown): string {
  if (typeof component !== "string" || component === "" || !component.isWellFormed())
    throw new TypeError("Each component of the namespace must be a text that is not empty.");
  // As in addresses, and what those leave: dots alone and `~` would be no name of a path, and consoles stumble over the rest.
  const escaped = encodeURIComponent(component).replace(/[!'()*]|^\.+$|^~$/g, (characters) =>
    Array.from(characters, hex).join(""),
  );
  return escaped;
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
