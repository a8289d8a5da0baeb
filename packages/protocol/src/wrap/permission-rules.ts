import { expandBraces } from "../glob/brace-expansion.js";
import { compileGlob, type PathGlob } from "../glob/path-glob.js";
import { joinPath } from "../paths/segments.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { FilesystemOperation } from "../call/methods.js";

/** What a rule says of the calls it matches. `"interrupt"` asks a human. */
export type PermissionMode = "allow" | "deny" | "interrupt";

/** One rule. Rules are tried in order, and the first that matches decides; where none does, the call is allowed. */
export interface FilesystemPermission {
  /** What it is about. `"write"` is about deleting too, unless an earlier rule names `"delete"`. */
  operations: readonly FilesystemOperation[];
  /**
   * Absolute globs, as in `glob`; `/dir` is about all below it and `/dir/**` about `/dir` itself too. For `"execute"` they count for nothing: a command
   * has no path.
   */
  paths: readonly string[];
  /** Default `"allow"`. */
  mode?: PermissionMode;
}

interface CompiledRule {
  readonly operations: ReadonlySet<FilesystemOperation>;
  readonly globs: readonly PathGlob[];
  readonly mode: PermissionMode;
}

const OPERATIONS: ReadonlySet<unknown> = new Set(["read", "write", "delete", "execute"]);
const MODES: ReadonlySet<unknown> = new Set(["allow", "deny", "interrupt"]);
/** A name no pattern has in mind: what matches it matches anything. */
const ANY_NAME = "\u{10fffd}any\u{10fffd}";

/** Compiled permission rules over canonical paths. */
export class PermissionRules {
  readonly #rules: readonly CompiledRule[];
  readonly #byOperation = new Map<FilesystemOperation, readonly CompiledRule[]>();

  /** Throws a {@link ConfigurationError} for a rule that cannot be understood: half a rule must never allow anything. */
  constructor(rules: readonly FilesystemPermission[]) {
    if (!Array.isArray(rules)) throw new ConfigurationError("Permissions must be a list of rules.");
    this.#rules = rules.map(compile);
  }

  /** What the rules say of an operation on a path. */
  decide(operation: FilesystemOperation, path: string): PermissionMode {
    const rule = this.#about(operation).find(
      ({ globs }) => operation === "execute" || globs.some((glob) => isAbout(glob, path)),
    );
    return rule?.mode ?? "allow";
  }

  /** Returns whether the path shows up: it is not denied itself, or something below a directory may be allowed. */
  shows(path: string, kind: "file" | "directory" | "either"): boolean {
    if (kind === "file") return this.decide("read", path) !== "deny";
    if (path === "/") return true;
    if (kind === "either" && this.decide("read", path) !== "deny") return true;
    return !this.#deniesAllBelow(path);
  }

  /** Returns whether any rule but an `allow` may match the path or something below it. */
  restrictsWithin(operation: FilesystemOperation, path: string): boolean {
    return this.#restricts(operation, (glob) => isAbout(glob, path) || glob.mayMatchBelow(path));
  }

  /** Returns whether any rule but an `allow` may match something below the path. */
  restrictsBelow(operation: FilesystemOperation, path: string): boolean {
    return this.#restricts(operation, (glob) => glob.mayMatchBelow(path));
  }

  #restricts(operation: FilesystemOperation, concerns: (glob: PathGlob) => boolean): boolean {
    return this.#about(operation).some(
      ({ mode, globs }) => mode !== "allow" && globs.some(concerns),
    );
  }

  /** The directories that every restricting rule about files lies in; what a shell must not reach. */
  restrictedRoots(): string[] {
    return this.#rules
      .filter(
        ({ mode, operations }) =>
          mode !== "allow" && [...operations].some((operation) => operation !== "execute"),
      )
      .flatMap(({ globs }) => globs.map((glob) => glob.root));
  }

  #about(operation: FilesystemOperation): readonly CompiledRule[] {
    const known = this.#byOperation.get(operation);
    if (known !== undefined) return known;
    const rules = this.#rules.filter(
      ({ operations }) =>
        operations.has(operation) || (operation === "delete" && operations.has("write")),
    );
    this.#byOperation.set(operation, rules);
    return rules;
  }

  #deniesAllBelow(directory: string): boolean {
    for (const { mode, globs } of this.#about("read")) {
      if (mode !== "deny") {
        if (globs.some((glob) => glob.mayMatchBelow(directory))) return false;
      } else if (globs.some((glob) => matchesAllBelow(glob, directory))) {
        return true;
      }
    }
    return false;
  }
}

function compile(rule: FilesystemPermission): CompiledRule {
  const { operations, paths, mode = "allow" } = rule;
  if (
    !Array.isArray(operations) ||
    operations.length === 0 ||
    !operations.every((name) => OPERATIONS.has(name))
  ) {
    throw new ConfigurationError(
      "A permission's 'operations' are read, write, delete and execute.",
    );
  }
  if (!MODES.has(mode))
    throw new ConfigurationError("A permission's 'mode' is allow, deny or interrupt.");
  if (!Array.isArray(paths) || paths.length === 0) {
    throw new ConfigurationError("A permission needs 'paths'.");
  }
  return {
    operations: new Set(operations),
    globs: paths.flatMap((path) => compilePath(path, mode)),
    mode,
  };
}

/** One glob for each alternative in braces, so that each has a root of its own. */
function compilePath(path: unknown, mode: PermissionMode): PathGlob[] {
  if (typeof path !== "string" || !path.startsWith("/")) {
    throw new ConfigurationError(
      "A permission's paths must be absolute globs, such as '/secrets/**'.",
    );
  }
  if (path.split("/").includes("~")) {
    throw new ConfigurationError("A permission's paths must not hold '~'.");
  }
  const expanded = expandBraces(path);
  if (expanded.problem !== undefined)
    throw new ConfigurationError(`'${path}': ${expanded.problem}.`);
  return expanded.alternatives.flatMap((alternative) =>
    [alternative, ...impliedBelow(alternative, mode)].map((pattern) => {
      const compiled = compileGlob(pattern);
      if (compiled.failure !== undefined) throw new ConfigurationError(compiled.failure.error);
      return compiled.glob;
    }),
  );
}

/**
 * `/dir` is about all below it too: a directory is denied, or allowed, with what is in it. A pattern with wildcards says so
 * itself where it allows, since `/project/*` must not open what is deeper; where it restricts, it is taken for the most.
 */
function impliedBelow(pattern: string, mode: PermissionMode): string[] {
  if (/(?:^|\/)\*\*$/.test(pattern)) return [];
  const literal = !/[*?[\]\\]/.test(pattern);
  return literal || mode !== "allow" ? [`${pattern.replace(/\/$/, "")}/**`] : [];
}

/** A pattern for all that lies below a directory is about the directory too: else its existence would show. */
function isAbout(glob: PathGlob, path: string): boolean {
  return glob.matches(path) || (path !== "/" && glob.root === path && matchesAllBelow(glob, path));
}

function matchesAllBelow(glob: PathGlob, directory: string): boolean {
  const below = joinPath(directory, ANY_NAME);
  return glob.matches(below) && glob.matches(joinPath(below, ANY_NAME));
}
