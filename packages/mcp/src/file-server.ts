import { type AnyBackendProtocol, adaptBackendProtocol, readOnly } from "@fs/protocol";
import { guardListener } from "@fs/protocol/author";
import { McpServer, type McpServerFactory } from "@modelcontextprotocol/server";
import type { SkillCatalog } from "@modelcontextprotocol/server/ext/skills";
import { type ChangeFeed, changeFeedOf } from "./change-feed.js";
import type { McpOptions } from "./options.js";
import { serveResources } from "./resource-handlers.js";
import { loadSkills } from "./skills.js";
import { serveSubscriptions } from "./subscriptions.js";
import { offeredTools, serveTools } from "./tool-handlers.js";

const INSTRUCTIONS =
  "Files by absolute path, starting with '/'. Read a file before you change it, and pass its version as if_version when others may change it too.";

/** What all connections of a server share. */
export interface FileServer {
  /** Makes the server of one connection or request, in either era of the protocol. */
  readonly factory: McpServerFactory;
  /** Changes of files, where the backend can tell of them. */
  readonly changes: ChangeFeed | undefined;
}

/** Prepares a server over a backend. Throws a TypeError for wrong settings; rejects when the skills cannot be listed. */
export async function fileServer(
  given: AnyBackendProtocol,
  options: McpOptions,
): Promise<FileServer> {
  const { write = false, name = "fs", version = "0.0.0", instructions = INSTRUCTIONS } = options;
  const inner = adaptBackendProtocol(given);
  // The wrapper holds what the choice of tools promises, whichever way a call comes.
  const backend = write ? inner : readOnly(inner);
  const onError = (error: unknown): void => guardListener(() => options.onError?.(error));
  const tools = offeredTools(backend, options);
  const skills =
    options.skills === undefined ? undefined : await loadSkills(backend, options.skills, onError);
  const changes = changeFeedOf(inner, onError);
  const factory: McpServerFactory = (context) => {
    const mcp = new McpServer({ name, version }, { capabilities: {}, instructions });
    serveTools(mcp, backend, tools, onError);
    skills?.attach(mcp);
    serveResources(mcp, backend, {
      maxBytes: tools.settings.maxBinaryBytes,
      first: skillResources(skills),
    });
    if (changes !== undefined) serveSubscriptions(mcp, changes, context, onError);
    return mcp;
  };
  return { factory, changes };
}

function skillResources(skills: SkillCatalog | undefined) {
  return (skills?.entries ?? []).map(({ uri, frontmatter }) => ({
    uri,
    name: frontmatter.name,
    description: frontmatter.description,
    mimeType: "text/markdown",
  }));
}
