import { ConfigurationError } from "@fs/protocol";
import { isRecord } from "../messages/record.js";
import type { AnySubAgent } from "../subagents/types.js";
import { checkPaths } from "./paths.js";

const BUILT: ReadonlySet<string> = new Set([
  "name",
  "description",
  "systemPrompt",
  "mode",
  "tools",
  "model",
  "middleware",
  "interruptOn",
  "skills",
  "responseFormat",
  "permissions",
]);
const COMPILED: ReadonlySet<string> = new Set(["name", "description", "runnable", "mode"]);

/** Throws a ConfigurationError for subagents that could not be called, or say something that has no effect. */
export function checkSubAgents(subagents: unknown): asserts subagents is readonly AnySubAgent[] {
  if (!Array.isArray(subagents)) throw new ConfigurationError("'subagents' must be a list.");
  const names = new Set<string>();
  for (const subagent of subagents as unknown[]) {
    if (!isRecord(subagent)) throw new ConfigurationError("'subagents' must hold objects.");
    checkSubAgent(subagent);
    const name = String(subagent["name"]);
    if (names.has(name))
      throw new ConfigurationError(
        `Duplicate subagent name '${name}'; each subagent must have a unique name.`,
      );
    names.add(name);
  }
}

function checkSubAgent(subagent: Record<string, unknown>): void {
  const { name, description, mode, skills } = subagent;
  const shown = JSON.stringify(name);
  if ("graphId" in subagent)
    throw new ConfigurationError(
      `Subagent ${shown} has 'graphId': subagents on other servers are not supported. Run it here, or wrap its client in a runnable.`,
    );
  if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new ConfigurationError(
      `The 'name' of a subagent must be 1–64 letters, digits, '-' or '_', not ${shown}.`,
    );
  if (typeof description !== "string" || description.trim() === "")
    throw new ConfigurationError(`Subagent '${name}' needs a 'description'.`);
  if (mode !== undefined && mode !== "isolated" && mode !== "fork")
    throw new ConfigurationError(
      `Subagent '${name}' has invalid mode ${JSON.stringify(mode)}: it must be "isolated" or "fork".`,
    );
  const known = "runnable" in subagent ? COMPILED : BUILT;
  for (const [option, value] of Object.entries(subagent))
    if (!known.has(option) && value !== undefined)
      throw new ConfigurationError(
        `Subagent '${name}' has no option '${option}'. It takes ${[...known].join(", ")}.`,
      );
  if ("runnable" in subagent) checkRunnable(name, subagent["runnable"]);
  if (skills !== undefined) checkPaths(`subagents.${name}.skills`, skills);
  if (mode === "fork" && Array.isArray(skills) && skills.length > 0)
    throw new ConfigurationError(
      `Subagent '${name}' cannot set 'skills' under mode: "fork": it has its parent's.`,
    );
}

function checkRunnable(name: string, runnable: unknown): void {
  const runs =
    typeof runnable === "object" &&
    runnable !== null &&
    "invoke" in runnable &&
    typeof runnable.invoke === "function";
  if (!runs) throw new ConfigurationError(`Subagent '${name}' needs a 'runnable' with invoke().`);
}
