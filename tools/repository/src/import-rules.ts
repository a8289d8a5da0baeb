import { runtimeDependencies, type WorkspacePackage } from "./workspace.js";

/**
 * Who may import whom. A package that is not in this table fails the test: adding one is a
 * decision about the architecture, not a detail (ARCHITECTURE.md has the picture and the reasons).
 */
export interface ImportRule {
  /** The workspace packages that it may depend on. */
  readonly workspace: readonly string[];
  /** The other packages that are installed with it: for a backend, its client library. */
  readonly libraries: readonly RegExp[];
  /** What its users must have installed themselves. Only here may LangChain appear. */
  readonly peers?: readonly RegExp[];
  /** What its users need for one entry or option only; never installed unasked. */
  readonly optionalPeers?: readonly RegExp[];
}

const LANGCHAIN = /^(?:@langchain\/.+|langchain|langsmith|deepagents)$/;
const ZOD = /^zod$/;

export const importRules: Readonly<Record<string, ImportRule>> = {
  "@fs/protocol": {
    workspace: [],
    libraries: [],
    // The linear-time engine behind grep's `regex` option, and what `withTracing` makes its spans with.
    optionalPeers: [/^re2js$/, /^@opentelemetry\/api$/],
  },
  "@fs/conformance": {
    workspace: ["@fs/protocol"],
    libraries: [/^fast-check$/],
    // Its core needs no test runner; its `/vitest` entry does.
    optionalPeers: [/^vitest$/],
  },
  "@fs/disk": {
    workspace: ["@fs/protocol"],
    libraries: [/^@vscode\/ripgrep$/, /^fast-glob$/, /^proper-lockfile$/],
  },
  // The one backend that extends another: a shell is a disk that can also execute.
  "@fs/shell": { workspace: ["@fs/protocol", "@fs/disk"], libraries: [] },
  // createAgent puts a field's schema into a Zod object, so it must be one; Zod is a peer of LangGraph itself.
  "@fs/state": { workspace: ["@fs/protocol"], libraries: [], peers: [LANGCHAIN, ZOD] },
  "@fs/store": { workspace: ["@fs/protocol"], libraries: [], peers: [LANGCHAIN] },
  "@fs/postgres": { workspace: ["@fs/protocol"], libraries: [/^pg$/] },
  "@fs/s3": { workspace: ["@fs/protocol"], libraries: [/^@aws-sdk\//] },
  "@fs/redis": {
    workspace: ["@fs/protocol"],
    libraries: [/^ioredis$/],
    // Its `/store` entry is a LangGraph store and extends the base class from there.
    optionalPeers: [/^@langchain\/langgraph-checkpoint$/],
  },
  "@fs/hub": { workspace: ["@fs/protocol"], libraries: [], peers: [LANGCHAIN] },
  // The tools of every framework; an edit's answer carries a unified diff.
  "@fs/tools": { workspace: ["@fs/protocol"], libraries: [/^diff$/], peers: [ZOD] },
  // Backends are named here only, and imported when a configuration uses them.
  "@fs/config": {
    workspace: ["@fs/protocol"],
    libraries: [/^yaml$/],
    optionalPeers: [/^@fs\/(?:disk|shell|postgres|redis|s3|hub|store|staging|journal)$/],
  },
  // The SDK takes schemas of zod, which it brings itself; the tools need the same one.
  "@fs/mcp": {
    workspace: ["@fs/protocol", "@fs/tools"],
    libraries: [/^@modelcontextprotocol\/(?:server|node)$/, ZOD],
  },
  // Bridges: nothing of the framework is loaded, but their types are made of its types.
  "@fs/node": { workspace: ["@fs/protocol"], libraries: [] },
  "@fs/ai-sdk": {
    workspace: ["@fs/protocol", "@fs/tools"],
    libraries: [],
    peers: [ZOD, /^ai$/],
  },
  "@fs/anthropic": {
    workspace: ["@fs/protocol"],
    libraries: [],
    peers: [/^@anthropic-ai\/sdk$/],
  },
  "@fs/just-bash": {
    workspace: ["@fs/protocol", "@fs/node"],
    libraries: [],
    peers: [/^just-bash$/],
  },
  "@fs/mastra": {
    workspace: ["@fs/protocol", "@fs/node"],
    libraries: [],
    peers: [/^@mastra\/core$/],
  },
  "@fs/openai-agents": {
    workspace: ["@fs/protocol"],
    libraries: [],
    peers: [/^@openai\/agents$/],
  },
  // StateBackend is its default backend, and the only backend that it knows.
  "@fs/middleware": {
    workspace: ["@fs/protocol", "@fs/state", "@fs/tools"],
    libraries: [ZOD],
    peers: [LANGCHAIN, ZOD],
    // Imported only where changes are staged.
    optionalPeers: [/^@fs\/staging$/],
  },
  // A patch is a unified diff.
  "@fs/changes": { workspace: ["@fs/protocol"], libraries: [/^diff$/] },
  // Staging and journal do not import each other: they meet in the change set.
  "@fs/staging": { workspace: ["@fs/protocol", "@fs/changes"], libraries: [] },
  "@fs/journal": {
    workspace: ["@fs/protocol", "@fs/changes"],
    libraries: [],
    // Its `/postgres` entry keeps records in a table.
    optionalPeers: [/^pg$/],
  },
  // The harness around the filesystem: YAML is for the front matter of skills.
  "@fs/agent": {
    workspace: ["@fs/protocol", "@fs/state", "@fs/middleware"],
    libraries: [/^yaml$/],
    peers: [LANGCHAIN, ZOD],
  },
};

/** Every way in which these manifests break the rules, as sentences; none when they obey. */
export function manifestViolations(
  packages: readonly WorkspacePackage[],
  rules: Readonly<Record<string, ImportRule>> = importRules,
): string[] {
  const areas = new Map(packages.map(({ name, area }) => [name, area]));
  return packages.flatMap((pkg) => {
    const rule = rules[pkg.name];
    if (pkg.area !== "packages") return appViolations(pkg, areas);
    if (rule === undefined) return [`${pkg.name} has no import rule`];
    return [
      ...appViolations(pkg, areas),
      ...dependencyViolations(pkg, rule, areas),
      ...peerViolations(pkg, rule),
    ];
  });
}

type Areas = ReadonlyMap<string, WorkspacePackage["area"]>;

function appViolations({ name, manifest }: WorkspacePackage, areas: Areas): string[] {
  const peers = Object.keys({ ...manifest.devDependencies, ...manifest.peerDependencies });
  return [...runtimeDependencies(manifest), ...peers]
    .filter((dependency) => areas.get(dependency) === "apps")
    .map((dependency) => `${name} depends on the app ${dependency}`);
}

function dependencyViolations(
  { name, manifest }: WorkspacePackage,
  rule: ImportRule,
  areas: Areas,
): string[] {
  return runtimeDependencies(manifest).flatMap((dependency) => {
    if (areas.has(dependency))
      return rule.workspace.includes(dependency) ? [] : [`${name} may not use ${dependency}`];
    if (LANGCHAIN.test(dependency))
      return [`${name} must have ${dependency} as a peer, not as a dependency`];
    return matches(rule.libraries, dependency) ? [] : [`${name} may not install ${dependency}`];
  });
}

function peerViolations({ name, manifest }: WorkspacePackage, rule: ImportRule): string[] {
  return Object.keys(manifest.peerDependencies ?? {}).flatMap((peer) => {
    const optional = manifest.peerDependenciesMeta?.[peer]?.optional === true;
    if (matches(rule.peers, peer) || (optional && matches(rule.optionalPeers, peer))) return [];
    return matches(rule.optionalPeers, peer)
      ? [`${name} may have ${peer} only as an optional peer`]
      : [`${name} may not have ${peer} as a peer`];
  });
}

function matches(patterns: readonly RegExp[] | undefined, name: string): boolean {
  return patterns?.some((pattern) => pattern.test(name)) ?? false;
}
