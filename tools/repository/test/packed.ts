import { inject } from "vitest";
import { workspaceClosure, workspacePackages } from "../src/workspace.js";

/** The tarballs of packages, and of all of ours that they need, by name. */
export function tarballsOf(...names: readonly string[]): Map<string, string> {
  const all = workspacePackages();
  const tarballs = inject("tarballs");
  const wanted = names.flatMap((name) => {
    const pkg = all.find((candidate) => candidate.name === name);
    if (pkg === undefined) throw new Error(`There is no ${name}.`);
    return workspaceClosure(pkg, all);
  });
  return new Map(
    wanted.map(({ name }) => {
      const tarball = tarballs[name];
      if (tarball === undefined) throw new Error(`${name} was not packed.`);
      return [name, tarball];
    }),
  );
}
