import { importRules } from "./import-rules.js";
import { runtimeDependencies, workspaceClosure, type WorkspacePackage } from "./workspace.js";

/** Heavy or foreign things that only some packages may bring into a user's project. */
const MARKERS: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: "AWS", pattern: /^@(?:aws-sdk|aws-crypto|smithy)\// },
  { what: "a PostgreSQL client", pattern: /^(?:pg|pg-.+|postgres|@electric-sql\/.+)$/ },
  { what: "a Redis client", pattern: /^(?:ioredis|redis|@redis\/.+)$/ },
  { what: "ripgrep", pattern: /^@vscode\/ripgrep/ },
  { what: "LangChain", pattern: /^(?:@langchain\/.+|langchain|langsmith|deepagents)$/ },
  { what: "a test runner", pattern: /^(?:vitest|@vitest\/.+|vite|jest)$/ },
];

/**
 * What came along with a package that has no business there: a workspace package outside the import
 * rules, or another backend's client, LangChain or AWS where the package (with the workspace
 * packages that it is made of) does not itself ask for it. Optional peers are not installed, so
 * they excuse nothing.
 */
export function foreignPackages(
  pkg: WorkspacePackage,
  installed: readonly string[],
  all: readonly WorkspacePackage[],
): string[] {
  const closure = workspaceClosure(pkg, all);
  const asked = closure.flatMap(({ manifest }) => [
    ...runtimeDependencies(manifest),
    ...Object.keys(manifest.peerDependencies ?? {}).filter(
      (peer) => manifest.peerDependenciesMeta?.[peer]?.optional !== true,
    ),
  ]);
  // What a package may use brings along what that may use.
  const allowed = new Set(
    closure.flatMap(({ name }) => [name, ...(importRules[name]?.workspace ?? [])]),
  );
  const workspace = installed
    .filter((name) => all.some((other) => other.name === name) && !allowed.has(name))
    .map((name) => `${name} came along`);
  const markers = MARKERS.filter(({ pattern }) => !asked.some((name) => pattern.test(name)));
  const heavy = markers.flatMap(({ what, pattern }) =>
    installed.filter((name) => pattern.test(name)).map((name) => `${what} came along: ${name}`),
  );
  return [...workspace, ...heavy];
}
