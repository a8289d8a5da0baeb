import {
  type AuditEntry,
  type BackendMethods,
  type BackendProtocolV2,
  ConfigurationError,
  isSandboxBackend,
  MemoryBackend,
  readOnly,
  runAsCaller,
  type TracingSpan,
  type TracingTracer,
  withAudit,
  withPermissions,
  withPolicy,
  withQuota,
  withTracing,
  wrapBackend,
  type Wrapping,
} from "@fs/protocol";
import { describe, expect, it } from "vitest";

const bytes = (length: number): Uint8Array => new Uint8Array(length);

function shellOver(backend: BackendProtocolV2): BackendProtocolV2 {
  return Object.assign(backend, {
    id: "sh",
    execute: () => ({ output: "", exitCode: 0, truncated: false }),
  });
}

const everyWrapper: Record<string, (backend: BackendProtocolV2) => BackendProtocolV2> = {
  withPermissions: (backend) => withPermissions(backend, []),
  withPolicy: (backend) => withPolicy(backend, {}),
  withQuota: (backend) => withQuota(backend, { operations: { max: 100, per: 1000 } }),
  withAudit: (backend) => withAudit(backend, () => {}),
  withTracing: (backend) => withTracing(backend, {}),
};

describe("every wrapper", () => {
  for (const [name, wrap] of Object.entries(everyWrapper)) {
    it(`${name} has exactly the optional methods and properties of what it wraps`, () => {
      const full = Object.assign(shellOver(new MemoryBackend()), { routePrefixes: ["/a/"] });
      const wrapped = wrap(full);
      expect(isSandboxBackend(wrapped) && wrapped.id).toBe("sh");
      expect(wrapped).toMatchObject({ routePrefixes: ["/a/"], semantics: 1 });
      for (const method of [
        "delete",
        "multiEdit",
        "move",
        "copy",
        "uploadFiles",
        "downloadFiles",
      ] as const) {
        expect(typeof wrapped[method]).toBe("function");
        const { [method]: _, ...rest } = methodsOf(new MemoryBackend());
        expect(wrap(rest)[method]).toBeUndefined();
      }
      expect("execute" in wrap(new MemoryBackend())).toBe(false);
    });
  }

  it("does not compile when a method is forgotten", () => {
    const complete: Wrapping = identity();
    const { multiEdit: _, ...partial } = complete;
    // @ts-expect-error: 'multiEdit' is missing.
    const forgotten: Wrapping = partial;
    expect(Object.keys(forgotten)).not.toContain("multiEdit");
    expect(wrapBackend(new MemoryBackend(), complete)).toBeDefined();
  });
});

function methodsOf(backend: MemoryBackend): BackendProtocolV2 {
  return {
    ls: (...args) => backend.ls(...args),
    read: (...args) => backend.read(...args),
    readRaw: (...args) => backend.readRaw(...args),
    write: (...args) => backend.write(...args),
    edit: (...args) => backend.edit(...args),
    multiEdit: (...args) => backend.multiEdit(...args),
    glob: (...args) => backend.glob(...args),
    grep: (...args) => backend.grep(...args),
    delete: (...args) => backend.delete(...args),
    move: (...args) => backend.move(...args),
    copy: (...args) => backend.copy(...args),
    uploadFiles: (...args) => backend.uploadFiles(...args),
    downloadFiles: (...args) => backend.downloadFiles(...args),
  };
}

function identity(): Wrapping {
  const same = <K extends keyof BackendMethods>(method: BackendMethods[K]): BackendMethods[K] =>
    method;
  return {
    ls: same<"ls">,
    read: same<"read">,
    stat: same<"stat">,
    readRaw: same<"readRaw">,
    write: same<"write">,
    edit: same<"edit">,
    multiEdit: same<"multiEdit">,
    glob: same<"glob">,
    grep: same<"grep">,
    delete: same<"delete">,
    move: same<"move">,
    copy: same<"copy">,
    uploadFiles: same<"uploadFiles">,
    downloadFiles: same<"downloadFiles">,
    execute: same<"execute">,
  };
}

describe("readOnly", () => {
  it("reads and changes nothing", async () => {
    const inner = new MemoryBackend();
    await inner.write("/a", "a");
    const backend = readOnly(shellOver(inner));
    expect((await backend.read("/a")).content).toBe("a");
    const refused = [
      await backend.write("/b", "b"),
      await backend.edit("/a", "a", "b"),
      await backend.multiEdit?.("/a", [{ old: "a", new: "b" }]),
      await backend.delete?.("/a"),
      await backend.move?.("/a", "/b"),
      await backend.copy?.("/a", "/b"),
      (await backend.uploadFiles?.([["/b", bytes(1)]]))?.[0],
    ];
    expect(refused.map((result) => result?.code)).toEqual(Array(7).fill("permission_denied"));
    expect("execute" in backend).toBe(false);
    expect((await inner.glob("**/*")).files).toHaveLength(1);
    expect((await inner.read("/a")).content).toBe("a");
  });
});

describe("withPolicy", () => {
  it("refuses with the hook's sentence and tells the hooks what happened", async () => {
    const seen: string[] = [];
    const backend = withPolicy(new MemoryBackend(), {
      beforeWrite: ({ path }) =>
        path.endsWith(".lock") ? "Lock files are the build's." : undefined,
      afterWrite: ({ path, method }) => void seen.push(`${method} ${path}`),
      beforeDelete: () => Promise.reject(new Error("/host/path")),
      onError: () => void seen.push("error"),
    });
    expect(await backend.write("/a.lock", "")).toMatchObject({
      error: "Lock files are the build's.",
      code: "permission_denied",
    });
    expect((await backend.write("/a.txt", "a")).error).toBeUndefined();
    const deleted = await backend.delete?.("/a.txt");
    expect(deleted?.code).toBe("unavailable");
    expect(deleted?.error).not.toContain("host");
    const uploads = await backend.uploadFiles?.([
      ["/x", bytes(1)],
      ["/y.lock", bytes(1)],
    ]);
    expect(uploads?.map(({ error }) => error)).toEqual([null, "permission_denied"]);
    expect(seen).toEqual(["write /a.txt", "error", "uploadFiles /x", "uploadFiles /y.lock"]);
  });
});

describe("withQuota", () => {
  it("keeps files and bytes below their limits, also in parallel", async () => {
    const inner = new MemoryBackend();
    await inner.write("/old", "12345");
    const backend = withQuota(inner, { bytes: 10, files: 3 });
    const results = await Promise.all(
      [1, 2, 3, 4].map(async (n) => backend.write(`/new${n}`, "12")),
    );
    expect(results.map(({ code }) => code)).toEqual([
      undefined,
      undefined,
      "quota_exceeded",
      "quota_exceeded",
    ]);
    expect((await backend.edit("/old", "5", "56789")).code).toBe("quota_exceeded");
    expect((await inner.read("/old")).content).toBe("12345");
    expect((await backend.edit("/old", "345", "")).error).toBeUndefined();
    expect((await backend.copy?.("/old", "/copy"))?.code).toBe("quota_exceeded");
    expect((await backend.delete?.("/new1"))?.error).toBeUndefined();
    expect((await backend.copy?.("/old", "/copy"))?.error).toBeUndefined();
    const uploads = await backend.uploadFiles?.([
      ["/copy", bytes(4)],
      ["/more", bytes(1)],
    ]);
    expect(uploads?.map(({ code }) => code)).toEqual([undefined, "quota_exceeded"]);
  });

  it("limits calls in a time", async () => {
    const backend = withQuota(new MemoryBackend(), { operations: { max: 2, per: 60_000 } });
    await backend.ls("/");
    await backend.ls("/");
    expect((await backend.ls("/")).code).toBe("quota_exceeded");
  });

  it("refuses a limit that a command would write past", () => {
    expect(() => withQuota(shellOver(new MemoryBackend()), { bytes: 1 })).toThrow(
      ConfigurationError,
    );
  });
});

describe("withAudit", () => {
  it("records who did what and how it ended, never the content", async () => {
    const entries: AuditEntry[] = [];
    const backend = withAudit(new MemoryBackend(), async (entry) => void entries.push(entry));
    const caller = { actor: "ada", threadId: "t1", toolCallId: "c1" };
    await runAsCaller(caller, async () => {
      await backend.write("/a", "CONTENT");
      await backend.write("/a", "CONTENT");
    });
    expect(entries.map(({ phase, outcome }) => [phase, outcome])).toEqual([
      ["begin", undefined],
      ["end", "ok"],
      ["begin", undefined],
      ["end", "already_exists"],
    ]);
    expect(entries[1]).toMatchObject({
      ...caller,
      method: "write",
      accesses: [{ operation: "write", path: "/a" }],
    });
    expect(JSON.stringify(entries)).not.toContain("CONTENT");
  });

  it("refuses a change that cannot be recorded", async () => {
    const inner = new MemoryBackend();
    const backend = withAudit(inner, () => Promise.reject(new Error("disk full")));
    expect((await backend.write("/a", "a")).code).toBe("unavailable");
    expect((await inner.read("/a")).code).toBe("not_found");
    expect((await backend.ls("/")).files).toEqual([]);
  });
});

describe("withTracing", () => {
  it("makes a span for each call, with its code on failure", async () => {
    const spans: Array<Record<string, unknown>> = [];
    const tracer: TracingTracer = {
      startActiveSpan: (name, task) => {
        const record: Record<string, unknown> = { name, ended: false };
        spans.push(record);
        const span: TracingSpan = {
          setAttribute: (key, value) => (record[key] = value),
          setStatus: ({ code }) => (record["status"] = code),
          end: () => void (record["ended"] = true),
        };
        return task(span);
      },
    };
    const backend = withTracing(new MemoryBackend(), { tracer });
    await backend.read("/none");
    await backend.ls("/");
    expect(spans).toEqual([
      { name: "fs.read", ended: true, "fs.path": "/none", "fs.code": "not_found", status: 2 },
      { name: "fs.ls", ended: true, "fs.path": "/" },
    ]);
  });

  it("finds the tracer of the OpenTelemetry API by itself", async () => {
    const { trace, ProxyTracerProvider } = await import("@opentelemetry/api");
    const names: string[] = [];
    const provider = new ProxyTracerProvider();
    const noop = provider.getTracer("noop");
    trace.setGlobalTracerProvider({
      getTracer: () =>
        new Proxy(noop, {
          get: (target, key) => {
            if (key !== "startActiveSpan") return Reflect.get(target, key) as unknown;
            return (name: string, task: (span: unknown) => unknown) => {
              names.push(name);
              return target.startActiveSpan(name, task);
            };
          },
        }),
    });
    await withTracing(new MemoryBackend()).ls("/");
    trace.disable();
    expect(names).toEqual(["fs.ls"]);
  });
});
