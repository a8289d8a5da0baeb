import { ConfigurationError } from "@fs/protocol";
import type { ContextSize, SummarizationOptions } from "../context/options.js";
import { checkOptionNames, type OptionNames } from "./option-names.js";

export const SUMMARIZATION_OPTIONS: OptionNames<SummarizationOptions> = {
  model: true,
  trigger: true,
  keep: true,
  prompt: true,
  historyRoot: true,
  tokenCounter: true,
  prune: true,
  timeoutMs: true,
  maxArgumentLength: true,
};

/** Throws a ConfigurationError for an option of `summarization` that does not exist. */
export function checkSummarizationNames(options: object): void {
  checkOptionNames("'summarization'", options, SUMMARIZATION_OPTIONS);
}

/** Throws a ConfigurationError for sizes that mean nothing. */
export function checkSummarization(options: SummarizationOptions): void {
  if (Array.isArray(options.trigger) && options.trigger.length === 0)
    throw new ConfigurationError("'summarization.trigger' must name at least one size.");
  for (const size of [options.trigger ?? []].flat()) checkSize("summarization.trigger", size);
  if (options.keep !== undefined) checkSize("summarization.keep", options.keep);
  for (const name of ["timeoutMs", "maxArgumentLength"] as const) {
    const value: unknown = options[name];
    if (value !== undefined && !(typeof value === "number" && value > 0 && Number.isFinite(value)))
      throw new ConfigurationError(`'summarization.${name}' must be a number above 0.`);
  }
  const { historyRoot } = options;
  if (
    historyRoot !== undefined &&
    (!historyRoot.startsWith("/") || historyRoot.split("/").includes(".."))
  )
    throw new ConfigurationError(
      "'summarization.historyRoot' must be an absolute path without '..'.",
    );
}

function checkSize(option: string, { type, value }: ContextSize): void {
  if (!["messages", "tokens", "fraction"].includes(type))
    throw new ConfigurationError(
      `'${option}.type' must be 'messages', 'tokens' or 'fraction', not ${JSON.stringify(type)}.`,
    );
  const most = type === "fraction" ? 1 : Number.MAX_SAFE_INTEGER;
  if (typeof value !== "number" || !(value > 0) || value > most)
    throw new ConfigurationError(
      `'${option}.value' must be above 0${type === "fraction" ? " and at most 1" : ""}, not ${String(value)}.`,
    );
}
