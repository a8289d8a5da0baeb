import type { Filesystem } from "@fs/protocol";
import { failureFromThrown, guardListener } from "@fs/protocol/author";
import type { z } from "zod";
import { refusal } from "./answer.js";
import type { Effects, ToolAnswer, ToolContext, ToolDefinition } from "./definition.js";
import type { ToolName } from "./names.js";

/** A tool that takes arguments as a model wrote them. */
export interface Tool {
  readonly name: ToolName;
  readonly description: string;
  readonly schema: z.ZodType<Record<string, unknown>>;
  readonly outputSchema: z.ZodObject;
  readonly effects: Effects;
  /**
   * Checks the arguments and runs the tool. Never rejects: whatever goes wrong is an answer with `failed` and a `code`,
   * except what `context.rethrow` claims. A context that has to be made first is made inside the call, so that this can
   * fail too.
   */
  call(args: unknown, context: ToolContext | LateContext): Promise<ToolAnswer>;
}

/** A context whose backend is known only during the call. */
export interface LateContext extends Omit<ToolContext, "backend"> {
  readonly backend: () => Promise<Filesystem>;
}

/** A definition as a {@link Tool}. */
export function toolOf<Args extends Record<string, unknown>>(
  definition: ToolDefinition<Args>,
): Tool {
  const { name, description, schema, outputSchema, effects } = definition;
  return {
    name,
    description,
    schema,
    outputSchema,
    effects,
    async call(args, context) {
      const parsed = schema.safeParse(args);
      if (!parsed.success) {
        return refusal({ error: sentenceOf(parsed.error), code: "invalid_argument" });
      }
      try {
        const { backend: given } = context;
        const backend = typeof given === "function" ? await given() : given;
        return await definition.run(parsed.data, { ...context, backend });
      } catch (error) {
        if (context.rethrow?.(error) === true) throw error;
        guardListener(() => context.settings.onError?.(error, { tool: name }));
        const subject = definition.subject(parsed.data);
        return refusal(failureFromThrown(error, subject), subject);
      }
    },
  };
}

function sentenceOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  if (issue === undefined) return "The arguments are not valid.";
  const where = issue.path.map(String).join(".");
  return where === "" ? `${issue.message}.` : `'${where}': ${issue.message}.`;
}
