import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute folder of the repository, without a trailing slash. */
export const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface WorkspacePackage {
  readonly name: string;
  /** Relative to the repository, e.g. `packages/protocol`. */
  readonly folder: string;
  readonly area: "packages" | "apps" | "tools" | "examples";
  readonly manifest: Manifest;
}

/** Every workspace package, found on disk and not listed anywhere, sorted by folder. */
export function workspacePackages(): WorkspacePackage[] {
  const folders = (["packages", "apps", "tools"] as const).flatMap((area) =>
    existsSync(join(root, area))
      ? readdirSync(join(root, area)).map((name) => ({ area, folder: `${area}/${name}` }))
      : [],
  );
  return [...folders, { area: "examples" as const, folder: "examples" }]
    .filter(({ folder }) => existsSync(join(root, folder, "package.json")))
    .map(({ area, folder }) => {
      const text = readFileSync(join(root, folder, "package.json"), "utf8");
      const manifest: Manifest = JSON.parse(text);
      return { name: manifest.name, folder, area, manifest };
    })
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** Those that are published. */
export function publicPackages(): WorkspacePackage[] {
  return workspacePackages().filter(({ manifest }) => manifest.private !== true);
}

/** What a package still lacks before it can be tried, e.g. `["README.md"]`. */
export function missingParts(pkg: WorkspacePackage): string[] {
  return ["src/index.ts", "README.md"].filter((file) => !existsSync(join(root, pkg.folder, file)));
}

/** Whether users have been told of it: a changeset names it, or it has been released. */
export function isAnnounced(pkg: WorkspacePackage): boolean {
  if (pkg.manifest.version !== "0.0.0") return true;
  const folder = join(root, ".changeset");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .some((name) => readFileSync(join(folder, name), "utf8").includes(`"${pkg.name}":`));
}

/** What is installed with the package: its dependencies, not its development ones. */
export function runtimeDependencies(manifest: Manifest): string[] {
  return Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
}

/** A package and all workspace packages that are installed with it. */
export function workspaceClosure(
  pkg: WorkspacePackage,
  all: readonly WorkspacePackage[],
): WorkspacePackage[] {
  const found = new Map([[pkg.name, pkg]]);
  for (const { manifest } of found.values())
    for (const name of runtimeDependencies(manifest)) {
      const dependency = all.find((candidate) => candidate.name === name);
      if (dependency) found.set(name, dependency);
    }
  return [...found.values()];
}
