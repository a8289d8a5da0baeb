import { optionsOf } from "@fs/protocol/async";
import { type CallOptions, runAsCaller } from "@fs/protocol";
import type { StagingBackend } from "@fs/staging";
import { tool, type ToolRuntime } from "@langchain/core/tools";
import { ToolMessage } from "@langchain/core/messages";
import { z } from "zod";
import { callerOf } from "../caller.js";
import { importStaging } from "./staged-backends.js";

/** The tools that staging adds. */
export const STAGING_TOOL_NAMES = ["changes", "diff"] as const;

const schema = z.object({
  pattern: z
    .string()
    .min(1)
    .optional()
    .describe("Only paths that match this glob, such as '*.md' or '/src/**'. Default: all."),
});

/** What an agent looks at its own staged changes with. */
export function stagingTools(staged: (runtime: unknown) => Promise<StagingBackend>) {
  const make = (
    name: (typeof STAGING_TOOL_NAMES)[number],
    description: string,
    textOf: (
      backend: StagingBackend,
      only: string | undefined,
      options: CallOptions,
    ) => Promise<Answer>,
  ) =>
    tool(
      async ({ pattern }: z.infer<typeof schema>, runtime: ToolRuntime) => {
        const { text, failed } = await runAsCaller(callerOf(runtime), async () =>
          textOf(await staged(runtime), pattern, optionsOf(runtime.signal)),
        );
        return new ToolMessage({
          content: text,
          name,
          tool_call_id: runtime.toolCallId ?? runtime.toolCall?.id ?? "",
          status: failed ? "error" : "success",
        });
      },
      { name, description, schema },
    );
  return [
    make(
      "changes",
      "List your file changes that are staged and not committed yet: added (A), modified (M), deleted (D) or moved (R).",
      async (backend, only, options) => {
        const result = await backend.changes(only, options);
        if (result.error) return { text: result.error, failed: true };
        const { summaryOf } = await importStaging();
        return { text: summaryOf(result).join("\n") || NOTHING, failed: false };
      },
    ),
    make(
      "diff",
      "Show your staged file changes as a unified patch, as the person who approves them will see it.",
      async (backend, only, options) => {
        const result = await backend.diff(only, options);
        if (result.error) return { text: result.error, failed: true };
        return { text: result.patch || NOTHING, failed: false };
      },
    ),
  ];
}

interface Answer {
  readonly text: string;
  readonly failed: boolean;
}

const NOTHING = "Nothing is staged.";
