import { quote, VolumeError } from "@fs/protocol/author";
import { CutOff } from "./cut-off.js";

/** What the names of S3 and SDK errors mean here. Names, not messages: those hold keys, hosts and request ids. */
const BY_NAME: Readonly<Record<string, () => VolumeErrorArguments>> = {
  NoSuchBucket: () => [
    "unavailable",
    (path) =>
      `The bucket that should hold ${path} does not exist. Check the configuration of this backend.`,
  ],
  NoSuchKey: () => ["not_found"],
  NotFound: () => ["not_found"],
  AccessDenied: denied,
  AllAccessDisabled: denied,
  AccountProblem: denied,
  InvalidAccessKeyId: refused,
  SignatureDoesNotMatch: refused,
  InvalidToken: refused,
  CredentialsProviderError: () => [
    "permission_denied",
    (path) =>
      `There are no credentials for the storage behind ${path}. Configure them where this backend runs.`,
  ],
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  TokenRefreshRequired: expired,
  RequestTimeTooSkewed: () => [
    "permission_denied",
    (path) =>
      `The storage behind ${path} refused the request because the clock of this machine is wrong.`,
  ],
  PermanentRedirect: elsewhere,
  AuthorizationHeaderMalformed: elsewhere,
  IllegalLocationConstraintException: elsewhere,
  SlowDown: busy,
  ServiceUnavailable: busy,
  TooManyRequests: busy,
  TooManyRequestsException: busy,
  ThrottlingException: busy,
  RequestTimeout: () => ["timeout"],
  TimeoutError: () => ["timeout"],
  AbortError: () => ["aborted"],
  EntityTooLarge: () => ["too_large"],
  KeyTooLongError: () => ["invalid_path"],
  QuotaExceeded: () => ["quota_exceeded"],
  InvalidObjectState: () => [
    "unavailable",
    (path) => `${path} is archived. Restore it in the storage before it can be read.`,
  ],
  NotImplemented: () => ["unsupported"],
};

/** A code, and a sentence that ends in the quoted path where the code's own would say too little. */
type VolumeErrorArguments = [code: VolumeError["code"], detail?: (path: string) => string];

function denied(): VolumeErrorArguments {
  return ["permission_denied"];
}

function refused(): VolumeErrorArguments {
  return [
    "permission_denied",
    (path) => `The storage behind ${path} refused the credentials of this backend.`,
  ];
}

function expired(): VolumeErrorArguments {
  return [
    "permission_denied",
    (path) =>
      `The credentials for the storage behind ${path} have expired. Renew them and try again.`,
  ];
}

function elsewhere(): VolumeErrorArguments {
  return [
    "unavailable",
    (path) =>
      `The bucket that holds ${path} is in another region than this backend is configured for.`,
  ];
}

function busy(): VolumeErrorArguments {
  return [
    "unavailable",
    (path) => `The storage behind ${path} is too busy at the moment. Try again later.`,
  ];
}

const BY_STATUS: Readonly<Record<number, () => VolumeErrorArguments>> = {
  301: elsewhere,
  307: elsewhere,
  401: refused,
  403: denied,
  404: () => ["not_found"],
  429: busy,
  503: busy,
};

/**
 * Wraps what the SDK threw; a VolumeError stays as it is. What nothing is known of is passed on for the backend to name.
 *
 * @param path For the sentence.
 */
export function volumeErrorOf(error: unknown, path: string): unknown {
  if (VolumeError.isInstance(error) || !(error instanceof Error)) return error;
  if (error instanceof CutOff) return new VolumeError(error.reason, undefined, { cause: error });
  if (error instanceof Unconfirmed) return unconfirmed(error, path);
  if (brokeOff(error)) {
    const detail = `The connection to the storage behind ${quote(path)} broke off. Try again.`;
    return new VolumeError("unavailable", detail, { cause: error });
  }
  const known = Object.hasOwn(BY_NAME, error.name) ? BY_NAME[error.name] : undefined;
  const meaning = known ?? BY_STATUS[statusOf(error) ?? 0] ?? unnamed(error);
  if (meaning === undefined) return error;
  const [code, detail] = meaning();
  return new VolumeError(code, detail?.(quote(path)), { cause: error });
}

function unnamed(error: Error): (() => VolumeErrorArguments) | undefined {
  // The SDK gives this one no name of its own.
  if (error.message === "Region is missing") {
    return () => [
      "unavailable",
      (path) =>
        `No region is configured for the storage behind ${path}. Set AWS_REGION or the option 'region'.`,
    ];
  }
  const status = statusOf(error);
  return status !== undefined && status >= 500
    ? () => ["unavailable", (path) => `The storage behind ${path} failed. Try again later.`]
    : undefined;
}

/** A change whose effect is unknown. Never undone, never repeated on a guess. */
export class Unconfirmed extends Error {
  override readonly name = "Unconfirmed";
  readonly change: "stored" | "removed";

  constructor(change: "stored" | "removed", cause: unknown) {
    super("The storage did not confirm a change.", { cause });
    this.change = change;
  }
}

function unconfirmed({ change, cause }: Unconfirmed, path: string): VolumeError {
  const aborted = cause instanceof CutOff && cause.reason === "aborted";
  const detail =
    `The storage did not confirm the change of ${quote(path)}: it may have been ${change}, or not. ` +
    "Look at it before you try again.";
  return new VolumeError(aborted ? "aborted" : "unavailable", detail, { cause });
}

/** The SDK calls a connection that was reset a timeout, too. */
function brokeOff(error: Error): boolean {
  return "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** Runs a call on the storage in terms of the volume's own errors. */
export async function translated<T>(path: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw volumeErrorOf(error, path);
  }
}

/** The HTTP status of a refusal, where the server gave one. */
export function statusOf(error: unknown): number | undefined {
  return metadataOf(error)?.httpStatusCode;
}

/** How often the SDK tried before it gave up. */
export function attemptsOf(error: unknown): number {
  return metadataOf(error)?.attempts ?? 1;
}

function metadataOf(error: unknown): { httpStatusCode?: number; attempts?: number } | undefined {
  if (typeof error !== "object" || error === null || !("$metadata" in error)) return undefined;
  const metadata = error.$metadata;
  return typeof metadata === "object" && metadata !== null ? metadata : undefined;
}

/** Tells a missing object from a missing bucket. A HEAD has no body to tell, so there 404 is taken for a missing object. */
export function isMissingKey(error: unknown): boolean {
  return statusOf(error) === 404 && !(error instanceof Error && error.name === "NoSuchBucket");
}

/** Returns whether a condition failed: 412; 409 while another write is under way; 404 where there was nothing to match. */
export function isConditionFailed(error: unknown, expected: "absent" | "version"): boolean {
  const status = statusOf(error);
  return status === 412 || status === 409 || (expected === "version" && isMissingKey(error));
}

/** The code by which Ceph answers a change that lost a race to another one, as a failure of its own: it has done nothing. */
const LOST_RACE = "UnknownError";

/** Whether a change of one object, alone or in a batch, lost a race. The SDK names an answer without a code the same, but gives it none. */
export function isLostRace(error: unknown): boolean {
  return typeof error === "object" && error !== null && "Code" in error && error.Code === LOST_RACE;
}

/** Statuses from 500 on by which a server says that it did nothing. */
const CERTAIN_STATUSES: ReadonlySet<number> = new Set([501, 505]);
/** What connections fail with before anything was sent. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ENOTFOUND",
]);

/** Returns whether one attempt of a request may have taken effect although it failed: no answer, or a failure of the server. */
export function isDoubtful(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 && !CERTAIN_STATUSES.has(status);
  if (!(error instanceof Error)) return true;
  if (error.name === "CredentialsProviderError") return false;
  return !("code" in error && NEVER_SENT.has(error.code));
}
