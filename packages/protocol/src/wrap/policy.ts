import { adaptBackendProtocol } from "../border/adapt.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import { batchFailure } from "../call/batch-failure.js";
import { checkedConfiguration } from "../call/configuration.js";
import { deleteChecked, relocateChecked } from "./checked-tree.js";
import { interceptBackend } from "./intercept.js";
import { HOOKS, PolicyHooks } from "./policy-hooks.js";
import type { Policy, PolicyCall } from "./policy-types.js";
import { type Wrapped, wrapBackend } from "./wrap-backend.js";

/**
 * A backend with hooks around its operations. A `before` hook that returns a sentence refuses the call with
 * `permission_denied`; one that throws refuses it too, with the code of a VolumeError or `unavailable`. An `after` hook
 * that throws changes nothing: the call has taken effect.
 *
 * Hooks get canonical paths, and every file that a call touches: a move, copy or removal of a directory asks for each file in
 * it and touches exactly those; a file that `beforeRead` refuses is left out of what `glob` and `grep` find.
 *
 * @example
 * withPolicy(backend, {
 *   beforeWrite: ({ path }) => (path.endsWith(".lock") ? "Lock files are written by the build." : undefined),
 * });
 */
export function withPolicy<B extends AnyBackendProtocol>(backend: B, policy: Policy): Wrapped<B> {
  checkedConfiguration(
    "withPolicy",
    policy,
    Object.fromEntries(HOOKS.map((name) => [name, "function"] as const)),
  );
  const inner = adaptBackendProtocol(backend);
  const hooks = new PolicyHooks(policy);
  const rooted = interceptBackend(inner, ({ accesses, method, args, command }, proceed, refuse) => {
    const shell = command === undefined ? undefined : { command };
    // Written out and not spread, which took a quarter of a read under a policy.
    const calls = accesses.map(({ operation, path }): PolicyCall =>
      Object.assign({ method, args, operation, path }, shell),
    );
    return hooks.around(calls, proceed, refuse);
  });
  return wrapBackend<B>(backend, {
    read: () => rooted.read,
    readRaw: () => rooted.readRaw,
    write: () => rooted.write,
    edit: () => rooted.edit,
    multiEdit: (own) => rooted.multiEdit ?? own,
    stat: (own) => rooted.stat ?? own,
    execute: (own) => (rooted as { execute?: typeof own }).execute ?? own,
    ls: () => rooted.ls,
    glob:
      () =>
      (...args) =>
        hooks.found(args, (...asked) => rooted.glob(...asked)),
    grep:
      () =>
      (...args) =>
        hooks.search(args, (...asked) => rooted.grep(...asked)),
    delete: () => (path, options) =>
      hooks.tree("delete", [path, options], (check) =>
        deleteChecked(inner, path, options ?? {}, (files) =>
          check(files.map((file) => [{ operation: "delete", path: file }])),
        ),
      ),
    move: () => (from, to, options) =>
      hooks.tree("move", [from, to, options], (check) =>
        relocateChecked(inner, "move", [from, to], options ?? {}, (legs) =>
          check(
            legs.map((leg) => [
              { operation: "read", path: leg.from },
              { operation: "delete", path: leg.from },
              { operation: "write", path: leg.to },
            ]),
          ),
        ),
      ),
    copy: () => (from, to, options) =>
      hooks.tree("copy", [from, to, options], (check) =>
        relocateChecked(inner, "copy", [from, to], options ?? {}, (legs) =>
          check(
            legs.map((leg) => [
              { operation: "read", path: leg.from },
              { operation: "write", path: leg.to },
            ]),
          ),
        ),
      ),
    uploadFiles: (own) => (files, options) =>
      hooks.batch(
        files,
        (file) => ({ method: "uploadFiles", operation: "write", path: file[0], args: file }),
        ([path], { code }) => ({ path, ...batchFailure(code) }),
        (allowed) => own(allowed, options),
      ),
    downloadFiles: (own) => (paths, options) =>
      hooks.batch(
        paths,
        (path) => ({ method: "downloadFiles", operation: "read", path, args: [path] }),
        (path, { code }) => ({ path, content: null, ...batchFailure(code) }),
        (allowed) => own(allowed, options),
      ),
    removeEmpty: (own) => own,
  });
}
