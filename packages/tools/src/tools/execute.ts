import { isSandboxBackend } from "@fs/protocol";
import { z } from "zod";
import { present, refusal, textPart } from "../answer.js";
import type { ToolDefinition } from "../definition.js";
import { EXECUTES } from "../effects.js";
import { tolerantSchema } from "../schema.js";
import type { ToolSettings } from "../settings.js";

const schema = tolerantSchema(
  {
    command: z.string(),
    timeout: z.number().nullable().default(null).describe("Seconds"),
  },
  { cmd: "command", script: "command", timeout_seconds: "timeout" },
);

/** `execute`: runs a shell command. Offered where the backend can. */
export const executeTool: ToolDefinition<z.output<typeof schema>> = {
  name: "execute",
  description: "Run a shell command; returns its output and exit code.",
  schema,
  outputSchema: z.object({
    exitCode: z.number().nullable(),
    truncated: z.boolean(),
    output: z.string().optional(),
  }),
  effects: EXECUTES,
  subject: () => "the command",
  async run({ command, timeout }, { backend, options, settings }) {
    if (!isSandboxBackend(backend))
      return refusal({ error: "This filesystem cannot run commands.", code: "unsupported" });
    const problem = timeout === null ? undefined : problemOf(timeout, settings);
    if (problem !== undefined) return refusal({ error: problem, code: "invalid_argument" });
    const ran = await backend.execute(command, {
      ...options,
      ...(timeout === null ? {} : { timeout }),
    });
    const notes = [
      ...(ran.truncated ? ["[output truncated]"] : []),
      ...(ran.error === undefined ? [] : [ran.error]),
      `[exit code ${ran.exitCode ?? "none: ended by a signal"}]`,
    ];
    const output = ran.output === "" || ran.output.endsWith("\n") ? ran.output : `${ran.output}\n`;
    return {
      content: textPart(`${output}${notes.join("\n")}`),
      structured: {
        exitCode: ran.exitCode,
        truncated: ran.truncated,
        ...present({ code: ran.code }),
        ...(settings.structuredText ? { output: ran.output } : {}),
      },
      ...present({ code: ran.code }),
      failed: ran.error !== undefined,
    };
  },
};

/** What is wrong with a time-out. 0 asks for none at all, which is more than any maximum. */
function problemOf(timeout: number, { maxExecuteTimeout: most }: ToolSettings): string | undefined {
  if (most === Infinity)
    return timeout >= 0 ? undefined : "'timeout' must be a number of seconds, or 0 for no limit.";
  return timeout > 0 && timeout <= most
    ? undefined
    : `'timeout' must be above 0 and at most ${most} seconds.`;
}

/** What the agent has to know of a backend's commands; the tool's own description where the backend says nothing. */
export function executeDescription(backend: object): string {
  const own: unknown = Reflect.get(backend, "executeDescription");
  return typeof own === "string" && own !== "" ? own : executeTool.description;
}
