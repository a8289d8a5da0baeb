/** The globs of a command line as a selection: all paths where none is given. */
export function selectionOf(globs: readonly string[]): readonly string[] | undefined {
  return globs.length === 0 ? undefined : globs;
}
