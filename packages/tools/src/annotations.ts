import type { Effects } from "./definition.js";

/** Hints about a tool, as the Model Context Protocol names them. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The annotations that follow from a tool's effects. What is the specification's default is left out. */
export function annotationsOf({
  readOnly,
  destructive,
  idempotent,
  openWorld,
}: Effects): ToolAnnotations {
  return {
    readOnlyHint: readOnly,
    ...(readOnly || destructive ? {} : { destructiveHint: false }),
    ...(readOnly || !idempotent ? {} : { idempotentHint: true }),
    ...(openWorld ? {} : { openWorldHint: false }),
  };
}
