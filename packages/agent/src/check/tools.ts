import { FILESYSTEM_TOOL_NAMES } from "@fs/middleware";
import { ConfigurationError } from "@fs/protocol";
import type { InterruptOn } from "../approvals/middleware.js";
import { isRecord } from "../messages/record.js";

/** Throws a ConfigurationError for tools of one name, of which a model could call only one. */
export function checkToolNames(
  whose: string,
  names: readonly string[],
  builtIn: readonly string[],
): void {
  const taken = new Set(builtIn);
  const clashing = names.filter((name) => taken.has(name));
  if (clashing.length > 0)
    throw collision(
      `${whose}: tool name(s) [${clashing.join(", ")}] conflict with built-in tools. Rename them, or leave the built-in ones out with 'filesystem.tools' or 'todos'.`,
    );
  const repeated = names.filter((name, at) => names.indexOf(name) !== at);
  if (repeated.length > 0)
    throw collision(`${whose}: several tools are named ${[...new Set(repeated)].join(", ")}.`);
}

/** With the code by which `deepagents` tells this one error from others. */
function collision(message: string): ConfigurationError {
  return Object.assign(new ConfigurationError(message), { code: "TOOL_NAME_COLLISION" });
}

const DECISIONS: ReadonlySet<unknown> = new Set(["approve", "edit", "reject"]);

/** Throws a ConfigurationError for rules about tools that do not exist, and for decisions that no one can give. */
export function checkInterruptOn(
  option: string,
  interruptOn: InterruptOn,
  tools: readonly string[],
): void {
  const known = new Set<string>([...tools, ...FILESYSTEM_TOOL_NAMES, "task", "write_todos"]);
  checkRules(option, interruptOn);
  for (const name of Object.keys(interruptOn))
    if (!known.has(name))
      throw new ConfigurationError(`'${option}' names '${name}', but there is no such tool.`);
}

/** Throws a ConfigurationError for decisions that no one can give. */
export function checkRules(option: string, interruptOn: unknown): void {
  if (!isRecord(interruptOn))
    throw new ConfigurationError(`'${option}' must be an object with a rule for each tool.`);
  for (const [name, rule] of Object.entries(interruptOn)) {
    if (typeof rule === "boolean") continue;
    const allowed: unknown = isRecord(rule) ? rule["allowedDecisions"] : undefined;
    if (
      !Array.isArray(allowed) ||
      allowed.length === 0 ||
      !allowed.every((one) => DECISIONS.has(one))
    )
      throw new ConfigurationError(
        `'${option}.${name}' must be true, false, or have 'allowedDecisions' of approve, edit and reject.`,
      );
  }
}
