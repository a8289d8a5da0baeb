import { VolumeError } from "@fs/protocol/author";
import { isSignal } from "@fs/protocol/async";

/** The options that methods beyond the protocol's may have. */
export interface OwnOptions {
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

const KINDS = {
  limit: {
    accepts: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0,
    is: "a whole number, 0 or more",
  },
  signal: { accepts: isSignal, is: "an AbortSignal" },
} as const;

/** The options of a method, each read once and checked as the protocol checks its own. Throws `invalid_argument`. */
export function ownOptions<K extends keyof OwnOptions>(
  method: string,
  known: readonly K[],
  options: Pick<OwnOptions, K> | null | undefined,
): Pick<OwnOptions, K> {
  if (options === undefined || options === null) return {} as Pick<OwnOptions, K>;
  if (typeof options !== "object") throw refused(`The options of '${method}' must be an object.`);
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const key = known.find((option) => option === name);
    if (key === undefined)
      throw refused(`'${method}' has no such option. Its options are ${known.join(", ")}.`);
    if (!KINDS[key].accepts(value))
      throw refused(`'${key}' of '${method}' must be ${KINDS[key].is}.`);
    checked[key] = value;
  }
  return checked as Pick<OwnOptions, K>;
}

function refused(detail: string): VolumeError {
  return new VolumeError("invalid_argument", detail);
}
