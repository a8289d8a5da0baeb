import { VolumeError } from "@fs/protocol/author";
import { tooSlow } from "./too-slow.js";

/** What a failed request to the Hub means for whoever made it. */
export interface HubFailure {
  /**
   * `missing`: the repository, or the commit of it, is not there. `conflict`: the parent is no longer the latest commit.
   * `transient`: worth another try. `refused`: the Hub does not take this content. `final`: everything else.
   */
  readonly kind: "missing" | "conflict" | "transient" | "refused" | "final";
  /** True when the request may have taken effect all the same: its answer is what got lost. */
  readonly doubtful: boolean;
  /** True when it may still take effect: no server that would know has answered. */
  readonly open: boolean;
  /** What to throw when nothing more can be done. Holds no text of the server's. */
  readonly error: VolumeError;
}

const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Answered before anything was done. */
const SURE: ReadonlySet<number> = new Set([425, 429]);
/** Answered in the place of a Hub that did not answer. */
const UNANSWERED: ReadonlySet<number> = new Set([408, 502, 504]);
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

/** Sorts whatever the langsmith client throws: by status, by name, and by what its own checks say. */
export function hubFailure(thrown: unknown): HubFailure {
  const status = statusOf(thrown);
  if (status !== undefined) return fromStatus(status, thrown);
  if (thrown instanceof Error) {
    if (thrown.name === "TimeoutError") {
      return { kind: "transient", doubtful: true, open: true, error: tooSlow(undefined, thrown) };
    }
    // The two checks that the client makes before it sends anything.
    if (thrown.message.includes("another tenant")) {
      return final(thrown, "permission_denied", "The repository belongs to another workspace.");
    }
    if (thrown.message.startsWith("Invalid repo_handle")) {
      const rule = "A new Hub repository's name has lower-case letters, digits, '-' and '_' only.";
      return final(thrown, "invalid_argument", rule);
    }
  }
  // A lost connection, a body that broke off, a resolver that failed: fetch has no common class for them.
  return { kind: "transient", doubtful: true, open: true, error: unavailable(thrown) };
}

function fromStatus(status: number, cause: unknown): HubFailure {
  if (status === 404) {
    const error = new VolumeError("not_found", "The Hub has no such repository or commit.", {
      cause,
    });
    return { kind: "missing", doubtful: false, open: false, error };
  }
  if (status === 409) {
    return { kind: "conflict", doubtful: false, open: false, error: new VolumeError("conflict") };
  }
  if (status === 401 || status === 403) {
    return final(cause, "permission_denied", "The Hub does not accept the API key for this.");
  }
  if (status === 429) {
    const detail = "The Hub limits requests at the moment. Try again later.";
    const error = new VolumeError("unavailable", detail, { cause });
    return { kind: "transient", doubtful: false, open: false, error };
  }
  if (TRANSIENT.has(status)) {
    const [doubtful, open] = [!SURE.has(status), UNANSWERED.has(status)];
    return { kind: "transient", doubtful, open, error: unavailable(cause) };
  }
  if (REFUSED.has(status)) {
    const code = status === 413 ? "too_large" : "invalid_argument";
    const detail = "The Hub does not accept this file: its size, its name or its content.";
    return {
      kind: "refused",
      doubtful: false,
      open: false,
      error: new VolumeError(code, detail, { cause }),
    };
  }
  return { kind: "final", doubtful: status >= 500, open: false, error: unavailable(cause) };
}

function final(
  cause: unknown,
  code: "permission_denied" | "invalid_argument",
  detail: string,
): HubFailure {
  return {
    kind: "final",
    doubtful: false,
    open: false,
    error: new VolumeError(code, detail, { cause }),
  };
}

function unavailable(cause: unknown): VolumeError {
  return new VolumeError("unavailable", "The Hub is not available. Try again later.", { cause });
}

function statusOf(thrown: unknown): number | undefined {
  if (typeof thrown !== "object" || thrown === null || !("status" in thrown)) return undefined;
  return typeof thrown.status === "number" ? thrown.status : undefined;
}
