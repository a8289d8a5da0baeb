import type { Filesystem, CallOptions, ErrorCode } from "@fs/protocol";
import type { z } from "zod";
import type { FilesUpdate } from "./carried-update.js";
import type { KnownFiles } from "./known-files.js";
import type { ToolName } from "./names.js";
import type { ToolSettings } from "./settings.js";

/** What a call of a tool can do to the world. The annotations of MCP derive from it. */
export interface Effects {
  /** It changes nothing. */
  readonly readOnly: boolean;
  /** It can remove or replace what was there. */
  readonly destructive: boolean;
  /** The same call once more changes nothing further. */
  readonly idempotent: boolean;
  /** It can reach beyond the filesystem. */
  readonly openWorld: boolean;
}

/** A piece of an answer: text, or the bytes of a file to look at or listen to. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio" | "video" | "file";
      readonly bytes: Uint8Array;
      readonly mimeType: string;
      readonly filename: string;
    };

/** What a tool answers. */
export interface ToolAnswer {
  /** For the model. */
  readonly content: readonly ContentPart[];
  /** For programs; on success it fits the tool's `outputSchema`. */
  readonly structured?: Record<string, unknown> | undefined;
  /** The stable code of a failure. */
  readonly code?: ErrorCode | undefined;
  /** Whether the call failed; `content` then says why. */
  readonly failed?: boolean | undefined;
  /** What a backend made with a runtime wants to be put into the graph's state. */
  readonly filesUpdate?: FilesUpdate | undefined;
}

/** What a tool works with during one call. */
export interface ToolContext {
  readonly backend: Filesystem;
  /** Passed on to every call of the backend. */
  readonly options: CallOptions;
  readonly settings: ToolSettings;
  /** The files whose content the caller has seen. */
  readonly known: KnownFiles;
  /** Claims an error that is the framework's own, such as the pause of a run: a call then rejects with it. */
  readonly rethrow?: ((error: unknown) => boolean) | undefined;
}

/** A filesystem tool that is bound to no framework and no backend. */
export interface ToolDefinition<Args> {
  readonly name: ToolName;
  /** For the model. */
  readonly description: string;
  /** Accepts what weak models write; its JSON schema is the strict one. */
  readonly schema: z.ZodType<Args>;
  /** What `structured` holds when the call succeeded. */
  readonly outputSchema: z.ZodObject;
  readonly effects: Effects;
  /** The argument that an error names: a path, mostly. */
  subject(args: Args): string;
  run(args: Args, context: ToolContext): Promise<ToolAnswer>;
}
