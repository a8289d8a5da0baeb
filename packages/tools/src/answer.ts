import type { ErrorCode } from "@fs/protocol";
import type { ContentPart, ToolAnswer } from "./definition.js";

/** A failed result of any backend: ours have a code, older ones only a sentence. */
export interface FailedResult {
  readonly error?: string | undefined;
  readonly code?: ErrorCode | undefined;
}

/** The answer to a failed call: the sentence for the model, the stable code for programs. */
export function refusal({ error, code }: FailedResult, path?: string): ToolAnswer {
  return {
    content: textPart(`Error: ${error ?? "the call failed."}`),
    structured: {
      ...(path === undefined ? {} : { path }),
      ...(code === undefined ? {} : { code }),
    },
    ...(code === undefined ? {} : { code }),
    failed: true,
  };
}

/** A content of one text. */
export function textPart(text: string): readonly ContentPart[] {
  return [{ type: "text", text }];
}

/** The text of an answer; media are left out. */
export function textOf(answer: ToolAnswer): string {
  return answer.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** The properties that have a value. */
export function present<T extends Record<string, unknown>>(properties: T): Partial<T> {
  const kept: Partial<T> = {};
  for (const name in properties) {
    if (properties[name] !== undefined && properties[name] !== null) kept[name] = properties[name];
  }
  return kept;
}
