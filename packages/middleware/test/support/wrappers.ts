import {
  withAudit,
  withPermissions,
  withPolicy,
  withQuota,
  withTracing,
  type Filesystem,
  type TracingSpan,
} from "@fs/protocol";

const span: TracingSpan = { setAttribute: () => span, setStatus: () => span, end: () => {} };

/** Wrappers that change no answer of the suite: the permissions deny a path that no case uses, the quotas are never reached. */
export const wrappers = {
  permissions: (backend: Filesystem) =>
    withPermissions(backend, [
      {
        operations: ["read", "write", "delete"],
        paths: ["/**/no-case-uses-this/**"],
        mode: "deny",
      },
    ]),
  policy: (backend: Filesystem) =>
    withPolicy(backend, { beforeWrite: () => undefined, afterRead: () => {} }),
  quota: (backend: Filesystem) =>
    withQuota(backend, { bytes: 1e12, files: 1e9, operations: { max: 1e9, per: 1000 } }),
  audit: (backend: Filesystem) => withAudit(backend, async () => {}),
  tracing: (backend: Filesystem) =>
    withTracing(backend, { tracer: { startActiveSpan: (_, task) => task(span) } }),
} satisfies Record<string, (backend: Filesystem) => Filesystem>;
