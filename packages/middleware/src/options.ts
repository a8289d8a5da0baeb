import type { AnyBackendProtocol, BackendFactory } from "@fs/protocol";
import type { TokenCounter } from "./offload/token-count.js";
import type { FsToolName } from "./tools/names.js";

/** Options of {@link createFilesystemMiddleware}. `null` means the default, as absence does. */
export interface FilesystemMiddlewareOptions {
  /** Where the files are, or what makes it for each call. */
  backend: AnyBackendProtocol | BackendFactory<unknown>;
  /** A text that is appended to the agent's system prompt. Default: none; the tools describe themselves. */
  systemPrompt?: string | null;
  /** Descriptions that replace the tools' own. */
  customToolDescriptions?: Partial<Record<FsToolName, string>> | null;
  /** The tools to offer; the others do not exist for the agent. Default `"all"` that the backend can. */
  tools?: readonly FsToolName[] | "all" | null;
  /** Counts tokens. Default {@link estimateTokens}, which is near for English and right for Chinese, Japanese and Korean. */
  tokenCounter?: TokenCounter;
  /** Matches that `grep` returns unless the call asks for another number; `null`: no cap. Default 1000. */
  grepMaxCount?: number | null;
  /** Tokens of one `read_file`, `ls`, `glob` or `grep` answer; beyond, it is cut with a note. Default 20,000. */
  answerTokenLimit?: number;
  /** Bytes of an image, sound, film or PDF that `read_file` shows. Default 10 MiB. */
  maxBinaryBytes?: number;
  /** Whether a file must have been read, written or edited in the conversation before it is edited. Default `true`. */
  readBeforeEdit?: boolean;
  /** Whether edits put a unified diff into their message's artifact. Default `true`; costs one more read of the file. */
  editDiff?: boolean;
  /** Milliseconds that a call of `execute` may ask for. Default 3,600,000. */
  maxExecuteTimeout?: number;
  /** Hears of every unexpected error behind a failed tool call. For the operator's log. */
  onError?: (error: unknown, call: { tool: string }) => void;
}
