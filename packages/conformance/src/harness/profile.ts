/**
 * What a backend claims to be. The suite holds it to every claim: a claim that fails is a failure, and a capability that
 * works without being claimed is a warning.
 */
export interface Profile {
  /** What `write` does to a file that is there. Default `"create"`: it answers `already_exists`. */
  readonly writeMode: "create" | "overwrite";
  /** What becomes of an edit that lost a race and still applies: done all the same, or `conflict`. Default `"serialize"`. */
  readonly conflicts: "serialize" | "reject";
  /** Within what no acknowledged change is lost: calls on one object, or all clients of one storage. Default `"clients"`. */
  readonly atomicity: "instance" | "clients";
  /** How soon a read sees a write. Default `"strong"`: at once. */
  readonly consistency: "strong" | { readonly eventualMs: number };
  /** Whether directories exist of their own (and stay when they become empty). Default `"implicit"`. */
  readonly directories: "implicit" | "real";
  /** Whether a file is refused where a directory is, or below a file. Default `"refused"`; buckets cannot tell. */
  readonly collisions: "refused" | "allowed";
  /** What symbolic links of the storage are: unknown to it, refused, or followed inside the root. Default `"none"`. */
  readonly symlinks: "none" | "reject" | "inside";
  /** Which names come back as they were written. */
  readonly names: {
    /** Default `true`: `/A` and `/a` are two files. */
    readonly caseSensitive: boolean;
    /** Default `"preserve"`: composed and decomposed forms are two files. */
    readonly unicode: "preserve" | "normalize";
  };
  /** Whether files are any bytes, or text only. Default `"bytes"`. */
  readonly content: "bytes" | "text";
  /** Whether failures carry a stable `code`. Default `true`; without, only that a call failed is checked. */
  readonly codes: boolean;
  /** Whether reads give a `version`, and `ifVersion` is honoured. Default `true`. */
  readonly versions: boolean;
  /** Whether `options.signal` is honoured. Default `true`. */
  readonly signals: boolean;
  /** Has `uploadFiles` and `downloadFiles`. Default `true`. */
  readonly transfer: boolean;
  /** Has `delete`. Default `true`. */
  readonly delete: boolean;
  /** Has `move`. Default `true`. */
  readonly move: boolean;
  /** Has `copy`. Default `true`. */
  readonly copy: boolean;
  /** Has `multiEdit`. Default `true`. */
  readonly multiEdit: boolean;
  /** Has `stat`. Default `"offered"`: it is tested where it is there. */
  readonly stat: boolean | "offered";
  /** Has `execute`; with `sharesFiles`, commands see the files and their working directory is `/`. Default `false`. */
  readonly execute: boolean | { readonly sharesFiles: boolean };
  /** Whether `grep` offers `options.regex`. Default `true`. */
  readonly regex: boolean;
  /** Has `watch`, the extra of rules V1 to V3. Default `"offered"`: it is tested where it is there and not `unsupported`. */
  readonly watch: boolean | "offered";
  /** Whether files outlive the object; proved through `reopen`. Default: whether the harness has `reopen`. */
  readonly durable: boolean;
  /** Whether the storage keeps the times of files, or they are those at which the object first saw them. Default `"kept"`. */
  readonly times: "kept" | "observed";
  readonly limits: {
    /** Bytes a file may have at most. Absent: none below 16 MiB. */
    readonly fileBytes?: number;
    /** Bytes a path may have at most, where the storage takes less than the 4,096 of rule P2. Default 4096. */
    readonly pathBytes?: number;
  };
}

/** A profile as a harness writes it: what is left out has its default. */
export type DeclaredProfile = Partial<
  Omit<Profile, "names" | "limits"> & {
    names: Partial<Profile["names"]>;
    limits: Profile["limits"];
  }
>;

/**
 * The whole contract, strictly: what every field of {@link Profile} is unless a harness declares otherwise. A harness with `reopen`
 * claims `durable` too.
 */
export const DEFAULT_PROFILE: Profile = {
  writeMode: "create",
  conflicts: "serialize",
  atomicity: "clients",
  consistency: "strong",
  directories: "implicit",
  collisions: "refused",
  symlinks: "none",
  names: { caseSensitive: true, unicode: "preserve" },
  content: "bytes",
  codes: true,
  versions: true,
  signals: true,
  transfer: true,
  delete: true,
  move: true,
  copy: true,
  multiEdit: true,
  stat: "offered",
  execute: false,
  regex: true,
  watch: "offered",
  durable: false,
  times: "kept",
  limits: { pathBytes: 4096 },
};

/** Fills in what a harness left out. A harness that can restart is asked what a restart leaves, unless it says otherwise. */
export function completeProfile(
  declared: DeclaredProfile = {},
  { reopen }: { readonly reopen?: unknown } = {},
): Profile {
  return {
    ...DEFAULT_PROFILE,
    durable: reopen !== undefined,
    ...declared,
    names: { ...DEFAULT_PROFILE.names, ...declared.names },
    limits: { ...DEFAULT_PROFILE.limits, ...declared.limits },
  };
}

/** The optional methods, each with the flag of the profile that claims it. */
export const OPTIONAL_METHODS = {
  delete: ["delete"],
  move: ["move"],
  copy: ["copy"],
  multiEdit: ["multiEdit"],
  transfer: ["uploadFiles", "downloadFiles"],
  execute: ["execute"],
} as const satisfies Partial<Record<keyof Profile, readonly string[]>>;

/** A flag of the profile that stands for optional methods. */
export type Capability = keyof typeof OPTIONAL_METHODS;
