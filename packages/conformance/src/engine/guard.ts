import { isDeepStrictEqual } from "node:util";
import { setTimeout as delay } from "node:timers/promises";
import type {
  BackendProtocolV2,
  CallOptions,
  DeleteResult,
  EditOperation,
  EditResult,
  ExecuteOptions,
  ExecuteResponse,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepOptions,
  GrepResult,
  LsResult,
  MutationOptions,
  ReadRawResult,
  ReadResult,
  TransferOptions,
  TransferResult,
  WriteOptions,
  WriteResult,
} from "@fs/protocol";
import { CheckFailure } from "./check-failure.js";
import { checkResult } from "./guard-rules.js";
import { detachedArguments, detachedResult, spoilArguments } from "./poison.js";
import type { Transcript } from "./transcript.js";

/** What a guard needs besides the backend. */
export interface GuardContext {
  readonly transcript: Transcript;
  /** Name of the client in the transcript; empty for the first. */
  readonly client: string;
  readonly codes: boolean;
  readonly secrets: readonly string[];
  /** Milliseconds until a read sees a write; 0 for strong consistency. */
  readonly eventualMs: number;
  /** Hears of every call that broke a rule, also in code that swallows errors. */
  readonly onViolation: (failure: CheckFailure) => void;
}

const READS: ReadonlySet<string> = new Set([
  "ls",
  "read",
  "readRaw",
  "glob",
  "grep",
  "downloadFiles",
]);

/** Values that were passed as they are are the same ones; only copies can have been changed. */
function sameArguments(given: readonly unknown[], args: readonly unknown[]): boolean {
  return given.every(
    (value, index) =>
      value === args[index] || isDeepStrictEqual(value, detachedArguments([args[index]])[0]),
  );
}

/** Outside of a batch `error: null` means the same as no `error`: the cases see one of them. */
function withoutNullError(result: unknown): unknown {
  if (typeof result !== "object" || result === null || Array.isArray(result)) return result;
  const { error, code, ...rest } = result as { error?: unknown; code?: unknown };
  if (error !== null) return result;
  return code === undefined || code === null ? rest : { ...rest, code };
}

/**
 * A backend as the cases see it: every call is recorded and held to the rules of all calls (A1 to A6), and nothing that
 * went in or came out stays shared. Throws {@link CheckFailure} where a rule is broken.
 */
export class GuardedBackend implements BackendProtocolV2 {
  readonly #backend: BackendProtocolV2;
  readonly #context: GuardContext;
  #lastMutation = -Infinity;

  constructor(backend: BackendProtocolV2, context: GuardContext) {
    this.#backend = backend;
    this.#context = context;
  }

  /** The backend itself, for cases that wrap it. */
  get unguarded(): BackendProtocolV2 {
    return this.#backend;
  }

  /** Returns whether the backend has a method. */
  has(method: string): boolean {
    return typeof Reflect.get(this.#backend, method) === "function";
  }

  /** Any call, with any arguments. */
  call(method: string, args: readonly unknown[]): Promise<unknown> {
    const answer = this.#call(method, args);
    // A case that fails at one of several calls never awaits the others; what they broke is told by onViolation.
    answer.catch(() => undefined);
    return answer;
  }

  async #call(method: string, args: readonly unknown[]): Promise<unknown> {
    const { transcript, client, codes, secrets } = this.#context;
    await this.#settle(method);
    const record = transcript.begin(client, method, args);
    const given = detachedArguments(args);
    let result: unknown;
    try {
      const target: unknown = Reflect.get(this.#backend, method);
      if (typeof target !== "function")
        throw new TypeError(`The backend has no method '${method}'.`);
      result = await (Reflect.apply(target, this.#backend, given) as unknown);
    } catch (thrown) {
      transcript.end(record, { thrown });
      throw this.#violation(
        new CheckFailure(`${method} threw instead of answering with an error.`, {
          rule: "A1",
          difference: `+ thrown ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
        }),
      );
    }
    if (!READS.has(method)) this.#lastMutation = performance.now();
    const unchanged = sameArguments(given, args);
    const copy = withoutNullError(detachedResult(result));
    spoilArguments(given);
    transcript.end(record, { result: copy });
    if (!unchanged)
      throw this.#violation(new CheckFailure(`${method} changed its arguments.`, { rule: "A5" }));
    try {
      checkResult(method, args, copy, { codes, secrets });
    } catch (failure) {
      throw failure instanceof CheckFailure ? this.#violation(failure) : failure;
    }
    return copy;
  }

  #violation(failure: CheckFailure): CheckFailure {
    this.#context.onViolation(failure);
    return failure;
  }

  async #settle(method: string): Promise<void> {
    const wait = this.#lastMutation + this.#context.eventualMs - performance.now();
    if (READS.has(method) && wait > 0) await delay(wait);
  }

  ls(path?: string, ...rest: [CallOptions?]): Promise<LsResult> {
    return this.call("ls", [path, ...rest]) as Promise<LsResult>;
  }
  read(path: string, ...rest: [number?, number?, CallOptions?]): Promise<ReadResult> {
    return this.call("read", [path, ...rest]) as Promise<ReadResult>;
  }
  readRaw(path: string, ...rest: [CallOptions?]): Promise<ReadRawResult> {
    return this.call("readRaw", [path, ...rest]) as Promise<ReadRawResult>;
  }
  write(path: string, content: string, ...rest: [WriteOptions?]): Promise<WriteResult> {
    return this.call("write", [path, content, ...rest]) as Promise<WriteResult>;
  }
  edit(
    path: string,
    old: string,
    to: string,
    ...rest: [boolean?, MutationOptions?]
  ): Promise<EditResult> {
    return this.call("edit", [path, old, to, ...rest]) as Promise<EditResult>;
  }
  grep(
    pattern: string,
    ...rest: [(string | null)?, (string | null)?, (number | null)?, GrepOptions?]
  ): Promise<GrepResult> {
    return this.call("grep", [pattern, ...rest]) as Promise<GrepResult>;
  }
  glob(pattern: string, ...rest: [string?, CallOptions?]): Promise<GlobResult> {
    return this.call("glob", [pattern, ...rest]) as Promise<GlobResult>;
  }
  delete(path: string, ...rest: [MutationOptions?]): Promise<DeleteResult> {
    return this.call("delete", [path, ...rest]) as Promise<DeleteResult>;
  }
  multiEdit(
    path: string,
    edits: readonly EditOperation[],
    ...rest: [MutationOptions?]
  ): Promise<EditResult> {
    return this.call("multiEdit", [path, edits, ...rest]) as Promise<EditResult>;
  }
  move(from: string, to: string, ...rest: [TransferOptions?]): Promise<TransferResult> {
    return this.call("move", [from, to, ...rest]) as Promise<TransferResult>;
  }
  copy(from: string, to: string, ...rest: [TransferOptions?]): Promise<TransferResult> {
    return this.call("copy", [from, to, ...rest]) as Promise<TransferResult>;
  }
  uploadFiles(
    files: Array<[string, Uint8Array]>,
    ...rest: [CallOptions?]
  ): Promise<FileUploadResponse[]> {
    return this.call("uploadFiles", [files, ...rest]) as Promise<FileUploadResponse[]>;
  }
  downloadFiles(paths: string[], ...rest: [CallOptions?]): Promise<FileDownloadResponse[]> {
    return this.call("downloadFiles", [paths, ...rest]) as Promise<FileDownloadResponse[]>;
  }
  execute(command: string, ...rest: [ExecuteOptions?]): Promise<ExecuteResponse> {
    return this.call("execute", [command, ...rest]) as Promise<ExecuteResponse>;
  }
}
