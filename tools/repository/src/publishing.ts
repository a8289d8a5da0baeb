import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root, type Manifest, type WorkspacePackage } from "./workspace.js";

/** Where the repository is. A provenance statement is refused unless every package names it. */
export const REPOSITORY = "https://github.com/fs-agents/fs";

/** What a published `package.json` says beside its dependencies. */
export interface PublishedManifest extends Manifest {
  readonly homepage?: string;
  readonly bugs?: { readonly url?: string };
  readonly repository?: {
    readonly type?: string;
    readonly url?: string;
    readonly directory?: string;
  };
  readonly license?: string;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly publishConfig?: {
    readonly access?: string;
    readonly exports?: Readonly<Record<string, unknown>>;
    readonly bin?: Readonly<Record<string, string>>;
  };
}

/** What runs before a package is packed: the check of `dist`, then what makes `lib` of it. */
const PREPACK =
  "node ../../tools/bootstrap/check-built.mjs && node ../../tools/packaging/bundle-package.mjs";

/** The entries that users get must be those of the repository, each in `lib` instead of `dist`. */
function notAsPublished({ exports, bin, publishConfig }: PublishedManifest): string[] {
  return Object.entries({ exports, bin }).flatMap(([name, own]) => {
    const published = publishConfig?.[name as "exports" | "bin"];
    const expected = JSON.stringify(own)?.replaceAll('"./dist/', '"./lib/');
    return JSON.stringify(published) === expected
      ? []
      : [`publishConfig.${name} is not ${name} with lib for dist`];
  });
}

/** Every way in which a package could not be published as it is, as sentences. */
export function publishingProblems(
  folder: string,
  manifest: PublishedManifest,
  isPrivate: (name: string) => boolean,
): string[] {
  const wanted: ReadonlyArray<readonly [what: string, found: unknown, value: unknown]> = [
    ["homepage", manifest.homepage, `${REPOSITORY}/tree/main/${folder}#readme`],
    ["bugs.url", manifest.bugs?.url, `${REPOSITORY}/issues`],
    ["repository.type", manifest.repository?.type, "git"],
    ["repository.url", manifest.repository?.url, `git+${REPOSITORY}.git`],
    ["repository.directory", manifest.repository?.directory, folder],
    ["license", manifest.license, "MIT"],
    ["engines.node", manifest.engines?.["node"], ">=20.19"],
    ["publishConfig.access", manifest.publishConfig?.access, "public"],
  ];
  const asked = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const users = Object.keys({ ...asked, ...manifest.peerDependencies });
  const { prepack } = manifest.scripts ?? {};
  return [
    ...(prepack?.startsWith(PREPACK) === true ? [] : [`scripts.prepack is ${String(prepack)}`]),
    ...notAsPublished(manifest),
    ...wanted
      .filter(([, found, value]) => found !== value)
      .map(([what, found, value]) => `${what} is ${String(found)}, not ${String(value)}`),
    ...["CHANGELOG.md", "lib"]
      .filter((file) => !manifest.files?.includes(file))
      .map((file) => `files leaves out ${file}`),
    ...["dist", "src"]
      .filter((file) => manifest.files?.includes(file))
      .map((file) => `files holds ${file}, and users get lib`),
    ...users.filter(isPrivate).map((name) => `${name} is private, and users would need it`),
  ];
}

/** The targets of the links of a Markdown text, in order; not those in blocks of code. */
export function linkTargets(markdown: string): string[] {
  const prose = markdown.replaceAll(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, "");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target ?? "");
}

/** Whether an address that is one of this repository has a file there; others are not asked for. */
export function isInRepository(target: string): boolean {
  const address = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/([^#]+)`).exec(target);
  return address === null || existsSync(join(root, address[1] ?? ""));
}

/**
 * Links of a package's README that a reader of the package alone cannot follow: relative ones that
 * leave the tarball, and addresses in the repository where there is no file.
 */
export function linkProblems(pkg: WorkspacePackage, manifest: PublishedManifest): string[] {
  const readme = readFileSync(join(root, pkg.folder, "README.md"), "utf8");
  return linkTargets(readme).flatMap((target) => {
    const path = target.split("#")[0] ?? "";
    if (path === "") return [];
    if (!isInRepository(target)) return [`${target} is not in the repository`];
    if (/^[a-z]+:/.test(path)) return [];
    const inside = posix.normalize(path);
    const packed = manifest.files?.some((file) => inside === file || inside.startsWith(`${file}/`));
    if (packed !== true) return [`${target} leaves the tarball`];
    return existsSync(join(root, pkg.folder, inside)) ? [] : [`${target} does not exist`];
  });
}
