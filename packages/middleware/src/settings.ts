import type { FsToolName } from "./tools/names.js";
import type { TokenCounter } from "./offload/token-count.js";

/** The options of the middleware with every default filled in. */
export interface ToolSettings {
  readonly customToolDescriptions: Readonly<Partial<Record<FsToolName, string>>>;
  readonly countTokens: TokenCounter;
  /** Tokens that one answer of `read_file`, `ls`, `glob` or `grep` may have before it is cut. */
  readonly answerTokens: number;
  /** Matches of `grep` unless the call says otherwise. */
  readonly grepMaxCount: number;
  /** Bytes of an image, sound, film or PDF that `read_file` hands to a model. */
  readonly maxBinaryBytes: number;
  readonly readBeforeEdit: boolean;
  /** Whether an edit puts a unified diff into its artifact; costs one more read of the file. */
  readonly editDiff: boolean;
  /** Seconds that the `timeout` of `execute` may ask for. */
  readonly maxExecuteTimeout: number;
  readonly onError: ((error: unknown, call: { tool: string }) => void) | undefined;
}
