import { allCases } from "../cases/catalogue.js";
import type { Harness } from "./harness.js";
import { DEFAULT_PROFILE, type Profile } from "./profile.js";
import { refuseNames } from "./refuse-names.js";

/** Every field of a harness. One that the type has and this list lacks does not compile. */
const HARNESS_FIELDS: Readonly<Record<keyof Harness, true>> = {
  name: true,
  version: true,
  create: true,
  setup: true,
  teardown: true,
  peer: true,
  reopen: true,
  around: true,
  outOfBand: true,
  meter: true,
  faults: true,
  profile: true,
  secrets: true,
  expectedFailures: true,
  concurrency: true,
  timeoutMs: true,
};

type Check = (value: unknown) => boolean;

const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const flag = oneOf(true, false);
const fieldsOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).every(
      ([key, field]) =>
        Object.hasOwn(fields, key) && (field === undefined || fields[key]?.(field) === true),
    );
const count: Check = (value) => typeof value === "number" && value > 0;

/** What each field of a profile may be. */
const PROFILE_VALUES: Readonly<Record<keyof Profile, Check>> = {
  writeMode: oneOf("create", "overwrite"),
  conflicts: oneOf("serialize", "reject"),
  atomicity: oneOf("instance", "clients"),
  consistency: (value) => value === "strong" || fieldsOf({ eventualMs: count })(value),
  directories: oneOf("implicit", "real"),
  collisions: oneOf("refused", "allowed"),
  symlinks: oneOf("none", "reject", "inside"),
  names: fieldsOf({ caseSensitive: flag, unicode: oneOf("preserve", "normalize") }),
  content: oneOf("bytes", "text"),
  codes: flag,
  versions: flag,
  signals: flag,
  transfer: flag,
  delete: flag,
  move: flag,
  copy: flag,
  multiEdit: flag,
  stat: oneOf(true, false, "offered"),
  execute: (value) => flag(value) || fieldsOf({ sharesFiles: flag })(value),
  regex: flag,
  watch: oneOf(true, false, "offered"),
  durable: flag,
  times: oneOf("kept", "observed"),
  limits: fieldsOf({ fileBytes: count, pathBytes: count }),
};

/**
 * Refuses what no harness has: a misspelt field would silently leave cases out, or claim what nobody meant to claim.
 * Throws a `TypeError` that names the field and those there are.
 */
export function refuseUnknown(harness: Harness): void {
  if (typeof harness !== "object" || harness === null)
    throw new TypeError("A harness is an object, or a function that makes a backend.");
  refuseNames("The harness", Object.keys(harness), Object.keys(HARNESS_FIELDS));
  if (typeof harness.create !== "function")
    throw new TypeError(
      "The harness needs 'create', a function that answers with an empty backend.",
    );
  const { profile, expectedFailures } = harness;
  if (profile !== undefined && profile !== "probe") refuseProfile(profile);
  if (expectedFailures === undefined) return;
  const ids = new Set(allCases().map(({ id }) => id));
  const unknown = Object.keys(expectedFailures).find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new TypeError(`'expectedFailures' names '${unknown}', which is no case of the suite.`);
}

function refuseProfile(profile: object): void {
  if (typeof profile !== "object" || profile === null)
    throw new TypeError(`'profile' is an object or "probe".`);
  refuseNames("The profile", Object.keys(profile), Object.keys(DEFAULT_PROFILE));
  for (const [field, value] of Object.entries(profile)) {
    if (value === undefined || PROFILE_VALUES[field as keyof Profile](value)) continue;
    throw new TypeError(`The profile has ${field}: ${JSON.stringify(value)}, which it cannot be.`);
  }
}
