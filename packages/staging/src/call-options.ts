import { isSignal } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";

/** What an option has to be, as a test and in words. */
interface Kind {
  readonly accepts: (value: unknown) => boolean;
  readonly is: string;
}

const SELECTION: Kind = {
  accepts: (value) => [value].flat().every((pattern) => typeof pattern === "string"),
  is: "a pattern or a list of patterns",
};
const FLAG: Kind = { accepts: (value) => typeof value === "boolean", is: "true or false" };
const LISTENER: Kind = { accepts: (value) => typeof value === "function", is: "a function" };
const SIGNAL: Kind = { accepts: isSignal, is: "an AbortSignal" };

function oneOf(first: string, second: string): Kind {
  return {
    accepts: (value) => value === first || value === second,
    is: `'${first}' or '${second}'`,
  };
}

const OPTIONS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  commit: {
    only: SELECTION,
    strategy: oneOf("refuse", "merge"),
    dryRun: FLAG,
    allowUnguarded: FLAG,
    onProgress: LISTENER,
    signal: SIGNAL,
  },
  rebase: { only: SELECTION, strategy: oneOf("merge", "ours"), signal: SIGNAL },
};

const SIGNAL_ALONE: Readonly<Record<string, Kind>> = { signal: SIGNAL };

/** Refuses options that a call does not have, or that are wrong, so that a misspelt one never means everything. */
export function checkOptions(call: string, options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new VolumeError("invalid_argument", `The options of '${call}' are an object.`);
  const kinds = OPTIONS[call] ?? SIGNAL_ALONE;
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined)
      throw new VolumeError(
        "invalid_argument",
        `'${call}' has no such option. It has ${Object.keys(kinds).join(", ")}.`,
      );
    if (value !== undefined && !kind.accepts(value))
      throw new VolumeError("invalid_argument", `'${name}' of '${call}' is ${kind.is}.`);
  }
}

/** As {@link checkOptions}, of a call that takes a selection beside its options. */
export function checkSelection(call: string, only: unknown, options: unknown): void {
  if (only !== undefined && !SELECTION.accepts(only))
    throw new VolumeError("invalid_argument", `The selection of '${call}' is ${SELECTION.is}.`);
  checkOptions(call, options);
}
