import { namespaceText } from "@fs/protocol/author";

/** The three keys of a namespace, all with one hash tag: one slot of a cluster holds the whole namespace. */
export type NamespaceKeys = readonly [files: string, paths: string, log: string];

/**
 * Names the keys of a namespace, injectively: `["a", "b"]` and `"a/b"` never share one.
 *
 * @param keyPrefix What every key starts with. No braces: they would move the hash tag.
 * @param namespace One name, or a path of names such as tenant and user.
 * @throws TypeError for an empty or ill-formed name and for braces in the prefix.
 */
export function namespaceKeys(
  keyPrefix: string,
  namespace: string | readonly string[],
): NamespaceKeys {
  const tag = hashTag(keyPrefix, namespace);
  return [`${tag}:files`, `${tag}:paths`, `${tag}:log`];
}

/** `prefix{name/name}`: what Redis Cluster hashes is between the braces. */
export function hashTag(keyPrefix: string, namespace: string | readonly string[]): string {
  if (typeof keyPrefix !== "string") throw new TypeError("'keyPrefix' must be a text.");
  if (/[{}]/.test(keyPrefix)) throw new TypeError("'keyPrefix' must not hold braces.");
  return `${keyPrefix}{${namespaceText(namespace)}}`;
}
