import { parse } from "yaml";

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type LockedImporter = Readonly<
  Record<string, Readonly<Record<string, { readonly version: string }>> | undefined>
>;

interface Lockfile {
  readonly importers: Readonly<Record<string, LockedImporter>>;
  readonly snapshots: Readonly<Record<string, Locked | undefined>>;
}

/**
 * Everything that is installed with a package according to a pnpm lockfile, itself and its peers left
 * out: `name@version` for packages of a registry, the folder for those of the workspace; sorted.
 *
 * @param isInstalled Whether a name that the lockfile lists for a folder is one of its dependencies. Optional peers are listed alike.
 */
export function lockedClosure(
  lockfile: string,
  folder: string,
  isInstalled: (folder: string, name: string) => boolean = () => true,
): string[] {
  const { importers, snapshots }: Lockfile = parse(lockfile);
  const found = new Set<string>();
  const visit = (name: string, version: string, from: string): void => {
    const linked = /^link:(.+)$/.exec(version)?.[1];
    const key = linked === undefined ? `${name}@${version}` : resolveLink(from, linked);
    if (found.has(key)) return;
    found.add(key);
    if (linked !== undefined) return visitImporter(key);
    const locked = snapshots[key] ?? snapshots[version];
    if (locked === undefined) throw new Error(`The lockfile does not hold ${key}.`);
    const all = { ...locked.dependencies, ...locked.optionalDependencies };
    for (const [child, childVersion] of Object.entries(all)) visit(child, childVersion, from);
  };
  const visitImporter = (importer: string): void => {
    const { dependencies, optionalDependencies } = importers[importer] ?? {};
    for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies }))
      if (isInstalled(importer, name)) visit(name, version, importer);
  };
  if (importers[folder] === undefined) throw new Error(`The lockfile does not hold ${folder}.`);
  visitImporter(folder);
  return [...found].toSorted();
}

function resolveLink(from: string, link: string): string {
  return new URL(link, `file:///${from}/`).pathname.slice(1);
}
