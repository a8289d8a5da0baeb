import type { ToolName } from "./names.js";
import { estimateTokens, type TokenCounter } from "./token-count.js";

/** How the tools answer. Every part has a default, see {@link toolSettings}. */
export interface ToolSettings {
  /** Counts the tokens of a text. Default {@link estimateTokens}. */
  readonly countTokens: TokenCounter;
  /** Tokens that one answer of a tool may have before it is cut; not of `execute`. Default 20,000. */
  readonly answerTokens: number;
  /** Matches of `grep` unless the call says otherwise. Default 1000. */
  readonly grepMaxCount: number;
  /** Bytes of an image, audio, video or PDF that `read_file` shows. Default 10 MiB. */
  readonly maxBinaryBytes: number;
  /** Whether an edit needs a file that is known, or an `if_version`. Default `true`. */
  readonly readBeforeEdit: boolean;
  /** Whether an edit answers with a unified diff; costs one more read of the file. Default `true`. */
  readonly editDiff: boolean;
  /** Seconds that the `timeout` of `execute` may ask for; `Infinity`: any, and 0 for no limit. Default 3600. */
  readonly maxExecuteTimeout: number;
  /** Whether texts name the file's version, for a caller that passes it on as `if_version`. Default `false`. */
  readonly showVersions: boolean;
  /** Whether `structured` repeats the text of files and matches, for a caller that sees only that. Default `false`. */
  readonly structuredText: boolean;
  /** Called with every unexpected error behind a failed call; use it for logging. */
  readonly onError?: ((error: unknown, call: { readonly tool: ToolName }) => void) | undefined;
}

const DEFAULTS: ToolSettings = {
  countTokens: estimateTokens,
  answerTokens: 20_000,
  grepMaxCount: 1000,
  maxBinaryBytes: 10 * 1024 * 1024,
  readBeforeEdit: true,
  editDiff: true,
  maxExecuteTimeout: 3600,
  showVersions: false,
  structuredText: false,
  onError: undefined,
};

/** The settings that may be without a bound. */
const MAY_BE_INFINITE: ReadonlySet<string> = new Set(["grepMaxCount", "maxExecuteTimeout"]);

/** Whether a number of one of the settings can be obeyed. */
const isLimit = (name: string, value: number): boolean =>
  value > 0 && (Number.isInteger(value) || (MAY_BE_INFINITE.has(name) && value === Infinity));

/** The settings that differ from the default; `undefined` is the default. */
export type GivenSettings = {
  readonly [Name in keyof ToolSettings]?: ToolSettings[Name] | undefined;
};

/**
 * The settings with every default filled in; `undefined` means the default.
 *
 * Throws a TypeError for a name that is no setting and for a value of the wrong type.
 */
export function toolSettings(given: GivenSettings = {}): ToolSettings {
  const settings = { ...DEFAULTS };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULTS, name)) throw new TypeError(`There is no setting '${name}'.`);
    if (value === undefined) continue;
    const wanted = name === "onError" ? "function" : typeof Reflect.get(DEFAULTS, name);
    if (typeof value !== wanted) throw new TypeError(`'${name}' must be a ${wanted}.`);
    if (typeof value === "number" && !isLimit(name, value)) {
      throw new TypeError(`'${name}' must be a whole number above 0.`);
    }
    Reflect.set(settings, name, value);
  }
  return settings;
}
