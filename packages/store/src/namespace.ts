import { VolumeError } from "@fs/protocol/author";

const COMPONENT = /^[\w\-.@+:~]+$/;

/**
 * A namespace as stores take it. They forbid dots and colons in a component, so these are written as `=2E` and `=3A`, which
 * nothing else can be taken for: `=` itself is not allowed.
 *
 * A text is a list of one. Throws `invalid_argument` for a namespace that is empty or has a component of other characters than letters, digits and
 * `-_.@+:~`, so that no wildcard ever reaches a store.
 */
export function storedNamespace(namespace: unknown): string[] {
  const components: unknown = typeof namespace === "string" ? [namespace] : namespace;
  if (!Array.isArray(components) || components.length === 0)
    throw invalid("it must be a text, or a list of at least one");
  return components.map((component: unknown, index) => {
    if (typeof component !== "string" || component === "")
      throw invalid(`component ${index + 1} must be a text that is not empty`);
    if (!COMPONENT.test(component))
      throw invalid(
        `component ${index + 1} has characters other than letters, digits and - _ . @ + : ~`,
      );
    return component.replaceAll(".", "=2E").replaceAll(":", "=3A");
  });
}

/** The namespace for a store that forbids underscores as well, as PostgresStore does: `=5F`. */
export function withoutUnderscores(namespace: readonly string[]): string[] {
  return namespace.map((component) => component.replaceAll("_", "=5F"));
}

function invalid(why: string): VolumeError {
  return new VolumeError("invalid_argument", `The namespace of the files is not valid: ${why}.`);
}
