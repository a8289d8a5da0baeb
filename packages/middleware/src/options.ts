import type { AnyBackendProtocol, BackendFactory, FilesystemPermission } from "@fs/protocol";
import type { TokenCounter } from "@fs/tools";
import type { Runtime } from "langchain";
import type { StagingSettings } from "./staging/options.js";
import type { FsToolName } from "./tool-names.js";

/** What a deprecated factory of backends is called with: the runtime of the call, and the state of the graph. */
export interface BackendRuntime<State = unknown> extends Runtime {
  readonly state: State;
}

/** A backend, or what makes one of a runtime (deprecated). */
export type BackendOption = AnyBackendProtocol | BackendFactory<BackendRuntime>;

/** Options of {@link createFilesystemMiddleware}. `null` means the default unless an option says otherwise. */
export interface FilesystemMiddlewareOptions {
  /** Where the files are. Default `new StateBackend()`: in the thread's state. */
  backend?: BackendOption;
  /**
   * A text that is appended to the agent's system prompt, or what makes it of the tools the agent has, such as
   * {@link filesystemPrompt}. Default: none; the tools describe themselves.
   */
  systemPrompt?: string | ((tools: readonly FsToolName[]) => string) | null;
  /** Descriptions that replace the tools' own. */
  customToolDescriptions?: Partial<Record<FsToolName, string>> | null;
  /** The tools to offer; the others do not exist for the agent. Default `"all"` that the backend can. */
  tools?: readonly FsToolName[] | "all" | null;
  /** The agent's other tools. A name they share with one of these fails at construction; without this, at the first model call. */
  otherTools?: ReadonlyArray<{ readonly name?: unknown }> | null;
  /** Rules that every call obeys, see `withPermissions`. `interrupt` pauses the run through LangGraph's `interrupt`. */
  permissions?: readonly FilesystemPermission[] | null;
  /**
   * Stages what the agent changes, so that the backend is untouched until a person approves: adds the tools `changes` and
   * `diff` and takes `execute` away, which would not see staged files. Needs `@fs/staging`, and with `approve` a
   * checkpointer. Default: none; changes are made at once.
   */
  staging?: StagingSettings | null;
  /** Tokens a tool's result may have before it is saved to a file and replaced by a preview; `null`: never. Default 20,000. */
  toolTokenLimitBeforeEvict?: number | null;
  /** Tokens a human message may have before the same happens to it; `null`: never. Default 50,000. */
  humanMessageTokenLimitBeforeEvict?: number | null;
  /** The directory that large results are saved in. Default `/large_tool_results/`. */
  artifactsRoot?: string | null;
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
  /** Seconds that a call of `execute` may ask for; `Infinity`: any, and 0 for no limit. Default 3600. */
  maxExecuteTimeout?: number;
  /** Hears of every unexpected error behind a failed tool call or a result that could not be saved. For the operator's log. */
  onError?: (error: unknown, call: { tool: string }) => void;
}
