/** P1: the path that a written one means. */
export function canonicalOf(path: string): string {
  return path.replaceAll(/\/\.?(?=\/)/g, "");
}
