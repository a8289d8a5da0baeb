/** A page of the site, and the file of the repository that it is made of. */
export interface Page {
  readonly title: string;
  /** The path of the source, from the root of the repository. */
  readonly source: string;
  /** Where it is on the site, without an extension; it ends in `/` for the first page of a folder. */
  readonly route: string;
}

/** Pages under one heading of the sidebar. */
export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

const doc = (title: string, path: string): Page => ({
  title,
  source: `docs/${path}.md`,
  route: `/${path.replace(/(^|\/)README$/, "$1")}`,
});
const readme = (folder: string, title: string, section = "packages"): Page => ({
  title,
  source: `${folder.includes("/") ? folder : `packages/${folder}`}/README.md`,
  route: `/${section}/${folder.split("/").at(-1)}`,
});

/** Everything that the site shows beside the reference, in the order of the sidebar. */
export const groups: readonly Group[] = [
  {
    title: "Start here",
    pages: [
      doc("An agent on PostgreSQL", "start/agent-on-postgres"),
      doc("A backend of your own", "start/custom-backend"),
      doc("Migrating from deepagents", "migrating-from-deepagents"),
    ],
  },
  {
    title: "Guide",
    pages: [
      doc("Choosing a backend", "choosing-a-backend"),
      doc("Routing", "guide/routing"),
      doc("Protecting", "guide/protecting"),
      doc("Approving and undoing", "guide/approving-and-undoing"),
      doc("Observing", "guide/observing"),
      doc("Scaling", "guide/scaling"),
      doc("Recipes", "guide/recipes"),
    ],
  },
  {
    title: "Operating",
    pages: [
      doc("PostgreSQL", "operating/postgres"),
      doc("Redis", "operating/redis"),
      doc("S3", "operating/s3"),
    ],
  },
  {
    title: "Backends",
    pages: [
      readme("protocol", "Memory and the router", "backends"),
      readme("state", "LangGraph state", "backends"),
      readme("disk", "Disk", "backends"),
      readme("shell", "Shell and sandboxes", "backends"),
      readme("store", "LangGraph store", "backends"),
      readme("postgres", "PostgreSQL", "backends"),
      readme("redis", "Redis", "backends"),
      readme("s3", "S3", "backends"),
      readme("hub", "LangSmith Hub", "backends"),
    ],
  },
  {
    title: "Agents and tools",
    pages: [
      readme("agent", "createDeepAgent"),
      readme("middleware", "LangChain middleware"),
      readme("tools", "Tools without a framework"),
      readme("mcp", "MCP server"),
      readme("apps/cli", "Command line"),
      readme("config", "Configuration files"),
    ],
  },
  {
    title: "Other frameworks",
    pages: [
      doc("One tree, many frameworks", "bridges/README"),
      doc("In an app of the AI SDK", "bridges/ai-sdk"),
      doc("In Claude's memory", "bridges/anthropic"),
      doc("In code for Node", "bridges/node"),
      doc("In a shell", "bridges/just-bash"),
      doc("In a Mastra workspace", "bridges/mastra"),
      doc("In OpenAI's agents", "bridges/openai-agents"),
      readme("ai-sdk", "@fs/ai-sdk"),
      readme("anthropic", "@fs/anthropic"),
      readme("node", "@fs/node"),
      readme("just-bash", "@fs/just-bash"),
      readme("mastra", "@fs/mastra"),
      readme("openai-agents", "@fs/openai-agents"),
    ],
  },
  {
    title: "Changes",
    pages: [
      readme("staging", "Staging"),
      readme("journal", "Journal"),
      readme("changes", "Change sets"),
    ],
  },
  {
    title: "Backend authors",
    pages: [
      doc("Writing a backend", "writing-a-backend"),
      doc("Testing your own", "guide/testing-your-own"),
      doc("The suite, option by option", "conformance"),
      readme("conformance", "@fs/conformance"),
      doc("What every method is tried with", "conformance-cells"),
      doc("What a fault in the protocol meets", "mutation"),
    ],
  },
  {
    title: "What is promised",
    pages: [
      doc("Semantics", "semantics"),
      doc("Error codes", "errors"),
      doc("The agent's rules", "harness"),
      doc("Behaviour matrix", "conformance-matrix"),
      doc("Behaviour matrix: the details", "conformance-matrix-details"),
      doc("Comparison", "guide/comparison"),
      doc("Decisions", "decisions/README"),
      doc("Glossary", "glossary"),
    ],
  },
  {
    title: "Benchmarks",
    pages: [
      doc("How they are made", "benchmarks/README"),
      doc("Beside deepagents", "benchmarks/figures"),
      doc("Growth", "benchmarks/growth"),
      doc("Start", "benchmarks/start"),
      doc("Bridges", "benchmarks/bridges"),
      doc("Disk", "benchmarks/disk"),
      doc("PostgreSQL", "benchmarks/postgres"),
      doc("Redis", "benchmarks/redis"),
      doc("S3", "benchmarks/s3"),
      doc("State", "benchmarks/state"),
      doc("Store", "benchmarks/store"),
    ],
  },
];

/** Pages that others link to, and no sidebar shows. */
const hiddenPages: readonly Page[] = [
  "0001-a-composite-is-no-volume",
  "0002-writing-only-creates",
  "0003-a-glob-is-one-level",
  "0004-strings-are-verbatim",
  "0005-nothing-is-undone-on-a-guess",
].map((name) => doc(name.slice(5).replaceAll("-", " "), `decisions/${name}`));

export const pages: readonly Page[] = [...groups.flatMap((group) => group.pages), ...hiddenPages];
