import { existsSync, realpathSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { output } from "./tarballs.js";
import { root, runtimeDependencies, workspaceClosure, type WorkspacePackage } from "./workspace.js";

/** What a user of a package has beside it: what it installs, and what it requires as a peer. */
function outsiders(pkg: WorkspacePackage, all: readonly WorkspacePackage[]): string[] {
  const { peerDependencies, peerDependenciesMeta } = pkg.manifest;
  const required = Object.keys(peerDependencies ?? {}).filter(
    (peer) => peerDependenciesMeta?.[peer]?.optional !== true,
  );
  return [...runtimeDependencies(pkg.manifest), ...required].filter(
    (name) => !all.some((other) => other.name === name),
  );
}

/**
 * A new project that holds one package as its tarball has it, with nothing but what its manifest, and those of the workspace
 * packages that it depends on, ask for. No package manager and no network: packages of others are links to the repository's.
 */
export async function layOut(
  pkg: WorkspacePackage,
  options: {
    readonly all: readonly WorkspacePackage[];
    readonly tarballs: ReadonlyMap<string, string>;
    readonly project: string;
    /** More packages of the workspace that the project has asked for. */
    readonly beside?: readonly WorkspacePackage[];
  },
): Promise<void> {
  const { all, tarballs, project, beside = [] } = options;
  await mkdir(project, { recursive: true });
  const manifest = { name: "consumer", private: true, type: "module" };
  await writeFile(join(project, "package.json"), JSON.stringify(manifest));
  const wanted = [pkg, ...beside];
  const closure = new Set(wanted.flatMap((one) => workspaceClosure(one, all)));
  for (const one of closure) {
    const tarball = tarballs.get(one.name);
    if (tarball === undefined)
      throw new Error(`${pkg.name} needs ${one.name}, which is not packed`);
    const target = join(project, "node_modules", one.name);
    await mkdir(target, { recursive: true });
    await output("tar", ["-xzf", tarball, "--strip-components=1", "-C", target], { cwd: project });
    await link(one, outsiders(one, all), target);
  }
  // A program imports the peers of its packages itself.
  for (const one of wanted) await link(one, outsiders(one, all), project);
}

async function link(
  from: WorkspacePackage,
  names: readonly string[],
  project: string,
): Promise<void> {
  for (const name of names) {
    const installed = join(root, from.folder, "node_modules", name);
    // An optional dependency that this system has no build of.
    if (!existsSync(installed) && from.manifest.optionalDependencies?.[name] !== undefined)
      continue;
    const target = join(project, "node_modules", name);
    if (existsSync(target)) continue;
    await mkdir(dirname(target), { recursive: true });
    await symlink(realpathSync(installed), target, "junction");
  }
}
