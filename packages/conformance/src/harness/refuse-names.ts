/** Throws a `TypeError` for a name that is not known, with those that are. */
export function refuseNames(
  what: string,
  given: readonly string[],
  known: readonly string[],
): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `${what} has a field '${unknown}', which is not known. There are: ${known.join(", ")}.`,
  );
}
