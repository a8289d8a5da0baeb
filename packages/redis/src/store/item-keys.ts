import { InvalidNamespaceError } from "@langchain/langgraph-checkpoint";

/** Where an item is: its namespace and its key within it. */
export interface ItemKey {
  readonly namespace: string[];
  readonly key: string;
}

/** Ends a label; two in a row end the namespace. No label is empty, and none holds one once escaped. */
const END = "\0";
const ESCAPE = "\u0001";

/**
 * The name of an item in the index: `label NUL label NUL NUL key`. Injective, and such that a namespace with all below it is
 * one range: labels are compared whole, never as text that begins alike.
 *
 * @throws InvalidNamespaceError for an empty namespace or label, and for ill-formed text.
 */
export function memberOf(namespace: readonly string[], key: string): string {
  if (typeof key !== "string" || !key.isWellFormed()) {
    throw new InvalidNamespaceError("A key must be well-formed text.");
  }
  if (namespace.length === 0) throw new InvalidNamespaceError("Namespace cannot be empty.");
  return `${prefixOf(namespace)}${END}${key}`;
}

/** Refuses what `BaseStore.put` refuses, for the one call that it cannot make: labels with a period, and its own root. */
export function refuseReserved(namespace: readonly string[]): void {
  const dotted = namespace.find((label) => label.includes("."));
  if (dotted !== undefined) {
    throw new InvalidNamespaceError("Namespace labels cannot contain periods ('.').");
  }
  if (namespace[0] === "langgraph") {
    throw new InvalidNamespaceError('The first label of a namespace cannot be "langgraph".');
  }
}

/** What every item in or below a namespace begins with; `""` for all of them. */
function prefixOf(namespace: readonly string[]): string {
  return namespace.map((label) => `${escapeLabel(label)}${END}`).join("");
}

/** The range of the index that is a namespace with all below it, in the syntax of ZRANGEBYLEX. */
export function rangeBelow(namespace: readonly string[]): { low: string; high: string } {
  if (namespace.length === 0) return { low: "-", high: "+" };
  const prefix = prefixOf(namespace);
  return { low: `[${prefix}`, high: `(${prefix.slice(0, -1)}${ESCAPE}` };
}

/** Reads a name back. */
export function itemKeyOf(member: string): ItemKey {
  const cut = member.indexOf(END + END);
  return { namespace: labelsOf(member.slice(0, cut)), key: member.slice(cut + 2) };
}

/** Reads the labels of a namespace back, from its name without the last `NUL`. */
export function labelsOf(path: string): string[] {
  return path.split(END).map(unescapeLabel);
}

function escapeLabel(label: string): string {
  if (typeof label !== "string" || label === "" || !label.isWellFormed()) {
    throw new InvalidNamespaceError(
      "Namespace labels must be well-formed texts that are not empty.",
    );
  }
  return label.replaceAll(ESCAPE, `${ESCAPE}\u0003`).replaceAll(END, `${ESCAPE}\u0002`);
}

function unescapeLabel(label: string): string {
  return label.replaceAll(`${ESCAPE}\u0002`, END).replaceAll(`${ESCAPE}\u0003`, ESCAPE);
}
