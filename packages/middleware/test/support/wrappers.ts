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

/** What wraps, and changes nothing of what is asked for: it denies what nobody asks for, allows everything, only looks. */
export const wrappers = {
  permissions: (backend: Filesystem) =>
    withPermissions(backend, [
      {
        operations: ["read", "write", "delete"],
        paths: ["/**/nobody-asks-for-this/**"],
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
