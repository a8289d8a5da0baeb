import { isSandboxBackend } from "@fs/protocol";
import { z } from "zod";
import { refusal } from "./answer.js";
import type { ToolDefinition } from "./define-tool.js";
import { tolerantSchema } from "./schema.js";

const schema = tolerantSchema(
  {
    command: z.string(),
    timeout: z.number().default(0).describe("Seconds; 0 = default"),
  },
  { cmd: "command", script: "command", timeout_seconds: "timeout" },
);

/** `execute`: runs a shell command. Offered where the backend can. */
export const executeTool: ToolDefinition<z.output<typeof schema>> = {
  name: "execute",
  description: "Run a shell command; returns its output and exit code.",
  schema,
  subject: () => "the command",
  async run({ command, timeout }, { backend, options, settings }) {
    if (!isSandboxBackend(backend))
      return refusal({ error: "This filesystem cannot run commands.", code: "unsupported" });
    if (timeout < 0 || timeout > settings.maxExecuteTimeout) {
      const error = `'timeout' must be between 0 and ${settings.maxExecuteTimeout} seconds.`;
      return refusal({ error, code: "invalid_argument" });
    }
    const ran = await backend.execute(command, {
      ...options,
      ...(timeout > 0 ? { timeout } : {}),
    });
    const notes = [
      ...(ran.truncated ? ["[output truncated]"] : []),
      ...(ran.error === undefined ? [] : [ran.error]),
      `[exit code ${ran.exitCode ?? "none: ended by a signal"}]`,
    ];
    const output = ran.output === "" || ran.output.endsWith("\n") ? ran.output : `${ran.output}\n`;
    return {
      content: `${output}${notes.join("\n")}`,
      artifact: {
        exitCode: ran.exitCode,
        truncated: ran.truncated,
        ...(ran.code === undefined ? {} : { code: ran.code }),
      },
      failed: ran.error !== undefined,
    };
  },
};
