import { failure } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import { isWithin } from "../paths/segments.js";
import { adaptBackendProtocol } from "../border/adapt.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import { batchFailure } from "../call/batch-failure.js";
import { checkedConfiguration } from "../call/configuration.js";
import { isPromise, promised } from "../concurrency/maybe-promise.js";
import type { Failure, MaybePromise } from "../types/outcome.js";
import type { SandboxFilesystem } from "../types/protocol.js";
import { isSandboxBackend } from "../border/guards.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import { filterBatch } from "./filter-batch.js";
import { failedExecution } from "./intercept.js";
import { PermissionGuard, type PermissionPrompt } from "./permission-guard.js";
import { type FilesystemPermission, PermissionRules } from "./permission-rules.js";
import { globPermitted, grepPermitted, lsPermitted } from "./permission-search.js";
import { deletePermitted, relocatePermitted } from "./permission-tree.js";
import { linkRootsOf } from "../call/link-roots.js";
import { type Wrapped, wrapBackend } from "./wrap-backend.js";

export interface PermissionOptions {
  /**
   * Asks a human about calls that a rule with `interrupt` matches. Without it they are denied. What it throws to pause a
   * run gets out only through wrappers: mounted in a composite, such a call is denied as `unavailable`.
   */
  onInterrupt?: PermissionPrompt;
  /** `false` takes `execute` away, so that rules can hold over a backend that could execute. Default `true`. */
  execute?: boolean;
}

/**
 * A backend that obeys rules, whoever calls it: a tool, a server, a command line, a composite it is mounted in.
 *
 * Rules are matched against canonical paths before the backend is called, so a denied path answers the same whether or
 * not it exists. Denied paths do not show in `ls`, `glob` and `grep`, not in counts either. An edit needs `read` and
 * `write`; a move needs `read` and `delete` on everything it takes and `write` where it goes; a recursive delete needs
 * `delete` on everything below.
 *
 * Throws a {@link ConfigurationError} for a rule that cannot be understood, and for rules over a backend whose shell
 * could evade them: take `execute` away, or scope every restricting rule to routes of a composite that its shell cannot
 * reach. Rules about a place where the backend follows symbolic links are refused too, because a link is another name for a file.
 *
 * @example
 * withPermissions(backend, [
 *   { operations: ["read"], paths: ["/secrets/**"], mode: "deny" },
 *   { operations: ["write"], paths: ["/project/**"] },
 *   { operations: ["write"], paths: ["/**"], mode: "deny" },
 * ]);
 */
export function withPermissions<B extends AnyBackendProtocol>(
  given: B,
  permissions: readonly FilesystemPermission[],
  options: PermissionOptions = {},
): Wrapped<B, "execute" | "id"> & Partial<Pick<SandboxFilesystem, "execute" | "id">> {
  checkedConfiguration("withPermissions", options, { onInterrupt: "function", execute: "flag" });
  const backend = adaptBackendProtocol(given);
  const rules = new PermissionRules(permissions);
  const guard = new PermissionGuard(rules, options.onInterrupt);
  const shell = options.execute !== false && rules.decide("execute", "/") !== "deny";
  if (shell && isSandboxBackend(backend)) refuseEvasion(backend, rules);
  refuseLinks(backend, rules);
  return wrapBackend<B>(
    given,
    {
      ls: () => (path, call) => lsPermitted(backend, rules, path, call),
      glob: () => (pattern, path, call) => globPermitted(backend, rules, pattern, path, call),
      grep:
        () =>
        (...args) =>
          grepPermitted(backend, rules, args),
      read:
        (inner) =>
        (path, ...rest) =>
          unlessRefused(guard.check("read", path, "read"), () => inner(path, ...rest)),
      readRaw:
        (inner) =>
        (path, ...rest) =>
          unlessRefused(guard.check("readRaw", path, "read"), () => inner(path, ...rest)),
      write:
        (inner) =>
        (path, ...rest) =>
          unlessRefused(guard.check("write", path, "write"), () => inner(path, ...rest)),
      edit:
        (inner) =>
        (path, ...rest) =>
          unlessRefused(guard.check("edit", path, "read", "write"), () => inner(path, ...rest)),
      multiEdit:
        (inner) =>
        (path, ...rest) =>
          unlessRefused(guard.check("multiEdit", path, "read", "write"), () =>
            inner(path, ...rest),
          ),
      stat:
        (inner) =>
        (path, ...rest) =>
          unlessRefused(guard.check("stat", path, "read"), () => inner(path, ...rest)),
      delete: (inner) => async (path, call) =>
        (await deletePermitted(backend, guard, path, call ?? {})) ?? inner(path, call),
      move: (inner) => async (from, to, call) =>
        (await relocatePermitted(backend, guard, "move", [from, to], call ?? {})) ??
        inner(from, to, call),
      copy: (inner) => async (from, to, call) =>
        (await relocatePermitted(backend, guard, "copy", [from, to], call ?? {})) ??
        inner(from, to, call),
      uploadFiles: (inner) => (files, call) =>
        filterBatch(
          files,
          ([path]) => guard.check("uploadFiles", path, "write"),
          ([path], failed) => ({ path, ...batchFailure(failed.code) }),
          async (allowed) => inner(allowed, call),
        ),
      downloadFiles: (inner) => (paths, call) =>
        filterBatch(
          paths,
          (path) => guard.check("downloadFiles", path, "read"),
          (path, failed) => ({ path, content: null, ...batchFailure(failed.code) }),
          async (allowed) => inner(allowed, call),
        ),
      removeEmpty:
        (inner) =>
        async (directory, ...rest) => {
          const free =
            rules.decide("delete", directory) === "allow" &&
            !rules.restrictsBelow("delete", directory);
          if (free) await inner(directory, ...rest);
        },
      execute: (inner) => async (command, call) => {
        const request = { method: "execute", operation: "execute", path: "/", command } as const;
        if (rules.decide("execute", "/") !== "interrupt" || (await guard.ask(request)))
          return inner(command, call);
        return failedExecution(failure("permission_denied", "/", "The command was not allowed."));
      },
    },
    shell ? [] : ["execute"],
  );
}

/** Makes a call that is allowed, at once where the rules alone decide. */
function unlessRefused<R>(
  refused: MaybePromise<Failure | undefined>,
  call: () => MaybePromise<R>,
): Promise<R | Failure> {
  return promised<R | Failure>(() =>
    isPromise(refused) ? refused.then((failed) => failed ?? call()) : (refused ?? call()),
  );
}

/** A path rule means nothing to a shell. */
function refuseEvasion(backend: object, rules: PermissionRules): void {
  const routes = routesOf(backend);
  const open = rules
    .restrictedRoots()
    .find((root) => !routes.some((route) => isWithin(root, route)));
  if (open === undefined) return;
  throw new ConfigurationError(
    `A shell would evade the rules on '${open}'. Take 'execute' away, or scope every rule that denies or interrupts to a route of a CompositeBackend that the shell cannot reach.`,
  );
}

/** A path rule means nothing where another path leads to the same file. */
function refuseLinks(backend: object, rules: PermissionRules): void {
  const links = linkRootsOf(backend);
  const mounted = links.filter((link) => link !== "/");
  // Links of a composite's default backend lead into no route.
  const apart = routesOf(backend).filter((route) => !mounted.some((link) => overlap(link, route)));
  const open = rules
    .restrictedRoots()
    .filter((root) => !apart.some((route) => isWithin(root, route)))
    .find((root) => links.some((link) => overlap(root, link)));
  if (open === undefined) return;
  throw new ConfigurationError(
    `A symbolic link would evade the rules on '${open}', because the backend follows links there. Do not follow them, or drop the rules.`,
  );
}

function overlap(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

function routesOf(backend: object): string[] {
  if (!("routePrefixes" in backend) || !Array.isArray(backend.routePrefixes)) return [];
  return backend.routePrefixes.flatMap((route: unknown) => {
    const canonical = canonicalPath(route);
    return canonical.failure === undefined ? [canonical.path] : [];
  });
}
