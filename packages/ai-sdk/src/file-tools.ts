import { optionsOf } from "@fs/protocol/async";
import {
  type AnyBackendProtocol,
  adaptBackendProtocol,
  type Caller,
  currentCaller,
  runAsCaller,
} from "@fs/protocol";
import { checkedConfiguration } from "@fs/protocol/author";
import {
  executeDescription,
  type GivenSettings,
  isToolName,
  sessionFiles,
  type Tool as FilesystemTool,
  TOOLS,
  type ToolName,
  toolSettings,
  toolsFor,
} from "@fs/tools";
import type { Tool, ToolApprovalStatus } from "ai";
import { type FileToolOutput, modelOutputOf, outputOf } from "./output.js";

/** Options of {@link fileTools}. */
export interface FileToolsOptions {
  /** Only tools that change nothing. Default `false`. */
  readonly readOnly?: boolean;
  /** Only these. Default: all that the backend can. */
  readonly names?: readonly ToolName[];
  /** How the tools answer; those of `@fs/tools`. */
  readonly settings?: GivenSettings;
  /** On whose behalf the calls are made, for wrappers such as the audit. The id of the tool call is added. */
  readonly caller?: Pick<Caller, "actor" | "threadId">;
}

/** Tools of the AI SDK, by name. */
export type FileTools = Partial<Record<ToolName, Tool<Record<string, unknown>, FileToolOutput>>>;

/**
 * The filesystem tools over any backend, for `generateText`, `streamText` and agents. Make them anew for each conversation:
 * they remember which files it has read, and edit only those.
 *
 * Throws a TypeError for wrong options, and for what is no backend.
 *
 * @example
 * const tools = fileTools(backend);
 * await generateText({ model, tools, toolApproval: approveMutations(tools), prompt: "Tidy /notes." });
 */
export function fileTools(given: AnyBackendProtocol, options: FileToolsOptions = {}): FileTools {
  checkedConfiguration("fileTools", options, {
    readOnly: "flag",
    names: "object",
    settings: "object",
    caller: "object",
  });
  const unknown = options.names?.find((name) => !isToolName(name));
  if (unknown !== undefined) throw new TypeError(`There is no tool '${String(unknown)}'.`);
  const backend = adaptBackendProtocol(given);
  const settings = toolSettings(options.settings);
  const known = sessionFiles();
  const asTool = (tool: FilesystemTool): Tool<Record<string, unknown>, FileToolOutput> => ({
    description: tool.name === "execute" ? executeDescription(backend) : tool.description,
    inputSchema: tool.schema,
    async execute(input, { toolCallId, abortSignal }) {
      const call = { signal: abortSignal };
      return runAsCaller({ ...currentCaller(), ...options.caller, toolCallId }, async () =>
        outputOf(
          await tool.call(input, {
            backend,
            options: optionsOf(call.signal),
            settings,
            known,
          }),
        ),
      );
    },
    toModelOutput: ({ output }) => modelOutputOf(output),
  });
  const { readOnly = false, names } = options;
  const chosen = toolsFor(backend, { readOnly, ...(names === undefined ? {} : { names }) });
  return Object.fromEntries(chosen.map((tool) => [tool.name, asTool(tool)]));
}

/** For `toolApproval`: the user is asked before a tool changes anything. Other tools of the set are left out. */
export function approveMutations(tools: object): Partial<Record<ToolName, ToolApprovalStatus>> {
  const mutating = Object.keys(tools).filter(
    (name) => isToolName(name) && !TOOLS[name].effects.readOnly,
  );
  return Object.fromEntries(mutating.map((name) => [name, "user-approval" as const]));
}
