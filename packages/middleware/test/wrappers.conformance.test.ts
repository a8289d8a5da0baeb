import { conformance } from "@fs/conformance/vitest";
import {
  MemoryBackend,
  withAudit,
  withPermissions,
  withPolicy,
  withQuota,
  withTracing,
  type Filesystem,
  type TracingSpan,
} from "@fs/protocol";

const span: TracingSpan = { setAttribute: () => span, setStatus: () => span, end: () => {} };

const wrappers: Record<string, (backend: Filesystem) => Filesystem> = {
  permissions: (backend) =>
    withPermissions(backend, [
      {
        operations: ["read", "write", "delete"],
        paths: ["/**/nobody-asks-for-this/**"],
        mode: "deny",
      },
    ]),
  policy: (backend) => withPolicy(backend, { beforeWrite: () => undefined, afterRead: () => {} }),
  quota: (backend) =>
    withQuota(backend, { bytes: 1e12, files: 1e9, operations: { max: 1e9, per: 1000 } }),
  audit: (backend) => withAudit(backend, async () => {}),
  tracing: (backend) =>
    withTracing(backend, { tracer: { startActiveSpan: (_, task) => task(span) } }),
};

for (const [name, wrap] of Object.entries(wrappers)) {
  conformance({ name: `memory in ${name}`, create: () => wrap(new MemoryBackend()) });
}
