import { type Filesystem, runAsCaller } from "@fs/protocol";
import {
  annotationsOf,
  executeDescription,
  inputSchemaOf,
  noKnownFiles,
  outputSchemaOf,
  type Tool,
  toolSettings,
  type ToolSettings,
  toolsFor,
} from "@fs/tools";
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { callResult } from "./call-result.js";
import type { McpOptions } from "./options.js";
import { withProgress } from "./progress.js";

/** The tools of a server, made once for all connections and requests. */
export interface OfferedTools {
  readonly listed: readonly ListedTool[];
  readonly byName: ReadonlyMap<string, Tool>;
  readonly settings: ToolSettings;
}

/** What is offered over a backend. Throws a TypeError for wrong settings. */
export function offeredTools(
  backend: Filesystem,
  { write = false, tools, settings, onError }: McpOptions,
): OfferedTools {
  const offered = toolsFor(backend, {
    readOnly: !write,
    ...(tools === undefined ? {} : { names: tools }),
  });
  return {
    listed: offered.map((tool) => ({
      name: tool.name,
      description: tool.name === "execute" ? executeDescription(backend) : tool.description,
      inputSchema: inputSchemaOf(tool) as ListedTool["inputSchema"],
      outputSchema: outputSchemaOf(tool) as ListedTool["outputSchema"],
      annotations: { ...annotationsOf(tool.effects) },
    })),
    byName: new Map(offered.map((tool) => [tool.name, tool])),
    // There is no session that could remember what was read; an exact edit and `if_version` protect a file.
    settings: toolSettings({
      readBeforeEdit: false,
      editDiff: false,
      showVersions: true,
      structuredText: true,
      onError: (error) => onError?.(error),
      ...settings,
    }),
  };
}

/** Lets a server list and call the tools. */
export function serveTools(
  { server }: McpServer,
  backend: Filesystem,
  { listed, byName, settings }: OfferedTools,
  onError: (error: unknown) => void,
): void {
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler("tools/list", () => ({ tools: [...listed] }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const tool = byName.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool '${params.name}'.`,
      );
    const { authInfo } = ctx.http ?? {};
    const caller = {
      toolCallId: String(ctx.mcpReq.id),
      ...(authInfo === undefined ? {} : { actor: authInfo.clientId }),
    };
    const answer = await withProgress(ctx, tool.name, onError, () =>
      runAsCaller(caller, () =>
        tool.call(params.arguments ?? {}, {
          backend,
          options: { signal: ctx.mcpReq.signal },
          settings,
          known: noKnownFiles,
        }),
      ),
    );
    return callResult(answer);
  });
}
