/** The paths that a listing or search gives, in its order; `undefined` where it gives none at all. */
export function pathsOf(
  entries: ReadonlyArray<{ readonly path: string }> | undefined,
): string[] | undefined {
  return entries?.map(({ path }) => path);
}
