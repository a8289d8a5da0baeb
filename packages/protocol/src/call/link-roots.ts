import { canonicalPath } from "../paths/path.js";

/**
 * Where a backend follows symbolic links: the canonical directories in its property `linkRoots`. None for a backend
 * without it; `["/"]` for one that follows them everywhere.
 */
export function linkRootsOf(backend: object): string[] {
  if (!("linkRoots" in backend) || !Array.isArray(backend.linkRoots)) return [];
  return backend.linkRoots.flatMap((root: unknown) => {
    const canonical = canonicalPath(root);
    return canonical.failure === undefined ? [canonical.path] : [];
  });
}
