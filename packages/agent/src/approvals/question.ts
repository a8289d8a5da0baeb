import { interrupt, isInvalidResume } from "@langchain/langgraph";
import type {
  BuiltInState,
  HITLRequest,
  HITLResponse,
  InterruptOnConfig,
  Runtime,
} from "langchain";
import { z } from "zod";
import type { PendingCall } from "./decisions.js";

/** A call that a human is asked about, and the rule that says so. */
export interface QuestionedCall extends PendingCall {
  readonly rule: InterruptOnConfig;
}

/** The question about these calls, in their order. */
export async function requestFor(
  pending: readonly QuestionedCall[],
  state: BuiltInState,
  runtime: Runtime,
  prefix = "Tool execution requires approval",
): Promise<HITLRequest> {
  const actionRequests = await Promise.all(
    pending.map(async ({ call, rule: { description } }) => ({
      name: call.name,
      args: call.args,
      description:
        typeof description === "function"
          ? await description(call, state, runtime)
          : (description ??
            `${prefix}\n\nTool: ${call.name}\nArgs: ${JSON.stringify(call.args, null, 2)}`),
    })),
  );
  const reviewConfigs = pending.map(({ call, rule }) => ({
    actionName: call.name,
    allowedDecisions: rule.allowedDecisions,
    ...(rule.argsSchema === undefined ? {} : { argsSchema: rule.argsSchema }),
  }));
  return { actionRequests, reviewConfigs };
}

/** Pauses for the answer. LangGraph keeps the question open when the schema of the answer refuses what was given. */
export function ask(
  request: HITLRequest,
  problem: (answer: unknown) => string | undefined,
): HITLResponse {
  const found: string[] = [];
  const responseSchema = z.unknown().superRefine((answer, context) => {
    const message = problem(answer);
    if (message === undefined) return;
    found.push(message);
    context.addIssue({ code: "custom", message });
  });
  try {
    return interrupt<HITLRequest>(request, { responseSchema }) as HITLResponse;
  } catch (error) {
    // The same error object, because LangGraph has marked it; its own words are a list of issues as JSON.
    if (isInvalidResume(error)) Object.assign(error as Error, { message: found.join(" ") });
    throw error;
  }
}
