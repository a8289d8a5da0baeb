import { runtimeDependencies, type WorkspacePackage } from "./workspace.js";

/**
 * Who may import whom. A package that is not in this table fails the test: adding one is a
 * decision about the architecture, not a detail (ARCHITECTURE.md has the picture and the reasons).
 */
export interface ImportRule {
  /** The workspace packages that it may depend on. */
  readonly workspace: readonly string[];
  /** The other packages that may be installed with it: for a backend, its client library. */
  readonly libraries: readonly RegExp[];
  /** The LangChain packages that it may have as peers; nobody may have them as dependencies. */
  readonly langchainPeers?: readonly RegExp[];
}

const LANGCHAIN = /^(?:@langchain\/.+|langchain|langsmith|deepagents)$/;
const ANY_LANGCHAIN = [LANGCHAIN];

export const importRules: Readonly<Record<string, ImportRule>> = {
  "@fs/protocol": { workspace: [], libraries: [/^(?:mime|picomatch)$/] },
  "@fs/conformance": { workspace: ["@fs/protocol"], libraries: [/^fast-check$/] },
  "@fs/disk": {
    workspace: ["@fs/protocol"],
    libraries: [/^@vscode\/ripgrep$/, /^fast-glob$/, /^proper-lockfile$/],
  },
  // The one backend that extends another: a shell is a disk that can also execute.
  "@fs/shell": { workspace: ["@fs/protocol", "@fs/disk"], libraries: [] },
  "@fs/state": { workspace: ["@fs/protocol"], libraries: [], langchainPeers: ANY_LANGCHAIN },
  "@fs/store": { workspace: ["@fs/protocol"], libraries: [], langchainPeers: ANY_LANGCHAIN },
  "@fs/postgres": { workspace: ["@fs/protocol"], libraries: [/^pg$/] },
  "@fs/s3": { workspace: ["@fs/protocol"], libraries: [/^@aws-sdk\//] },
  // Its `/store` entry is a LangGraph store, so the base class is an optional peer.
  "@fs/redis": {
    workspace: ["@fs/protocol"],
    libraries: [/^ioredis$/],
    langchainPeers: [/^@langchain\/langgraph-checkpoint$/],
  },
  "@fs/hub": { workspace: ["@fs/protocol"], libraries: [], langchainPeers: ANY_LANGCHAIN },
  // StateBackend is its default backend, and the only backend that it knows.
  "@fs/middleware": {
    workspace: ["@fs/protocol", "@fs/state"],
    libraries: [/^zod$/],
    langchainPeers: ANY_LANGCHAIN,
  },
  "@fs/agent": {
    workspace: ["@fs/protocol", "@fs/state", "@fs/middleware"],
    libraries: [/^zod$/],
    langchainPeers: ANY_LANGCHAIN,
  },
};

/** Every way in which these manifests break the rules, as sentences; none when they obey. */
export function manifestViolations(
  packages: readonly WorkspacePackage[],
  rules: Readonly<Record<string, ImportRule>> = importRules,
): string[] {
  const found: string[] = [];
  const area = new Map(packages.map((pkg) => [pkg.name, pkg.area]));
  for (const { name, area: ownArea, manifest } of packages) {
    const everything = { ...manifest.devDependencies, ...manifest.peerDependencies };
    for (const dependency of [...runtimeDependencies(manifest), ...Object.keys(everything)])
      if (area.get(dependency) === "apps") found.push(`${name} depends on the app ${dependency}`);
    if (ownArea !== "packages") continue;
    const rule = rules[name];
    if (rule === undefined) {
      found.push(`${name} has no import rule`);
      continue;
    }
    for (const dependency of runtimeDependencies(manifest))
      if (area.has(dependency)) {
        if (!rule.workspace.includes(dependency)) found.push(`${name} may not use ${dependency}`);
      } else if (LANGCHAIN.test(dependency))
        found.push(`${name} must have ${dependency} as a peer, not as a dependency`);
      else if (!rule.libraries.some((allowed) => allowed.test(dependency)))
        found.push(`${name} may not install ${dependency}`);
    for (const peer of Object.keys(manifest.peerDependencies ?? {}))
      if (area.has(peer)) found.push(`${name} has the workspace package ${peer} as a peer`);
      else if (LANGCHAIN.test(peer) && !rule.langchainPeers?.some((allowed) => allowed.test(peer)))
        found.push(`${name} may not have ${peer} as a peer`);
  }
  return found;
}
