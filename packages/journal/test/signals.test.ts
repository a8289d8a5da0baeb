import { fileJournal, withJournal } from "@fs/journal";
import {
  type AnyBackendProtocol,
  interceptBackend,
  MemoryBackend,
  type SandboxFilesystem,
} from "@fs/protocol";
import { describe, expect, test, vi } from "vitest";
import { bytes, contents } from "./journalled.js";

const METHODS = [
  "write",
  "edit",
  "multiEdit",
  "delete",
  "delete of a directory",
  "move",
  "copy",
  "uploadFiles",
  "execute",
] as const;

/** A sandbox with two files, a journal over it, and each call that changes something. */
async function stage(around: {
  base?: (base: MemoryBackend) => AnyBackendProtocol;
  kept?: (kept: MemoryBackend) => AnyBackendProtocol;
}) {
  const [base, kept] = [new MemoryBackend(), new MemoryBackend()];
  await base.uploadFiles([
    ["/a", bytes("1")],
    ["/d/a", bytes("1")],
  ]);
  const execute = async (): Promise<object> => {
    await base.write("/made", "1");
    return { output: "", exitCode: 0, truncated: false };
  };
  const wrapped = interceptBackend(around.base?.(base) ?? base, async (_, proceed) => proceed());
  const errors: unknown[] = [];
  const files = withJournal(Object.assign(wrapped, { id: "box", execute }), {
    store: fileJournal(around.kept?.(kept) ?? kept),
    execute: "scan",
    onError: (error) => void errors.push(error),
  }) as unknown as Required<SandboxFilesystem>;
  const call = (method: (typeof METHODS)[number], signal: AbortSignal): Promise<unknown> => {
    const calls: Record<(typeof METHODS)[number], () => Promise<unknown>> = {
      write: () => files.write("/new", "1", { signal }),
      edit: () => files.edit("/a", "1", "2", false, { signal }),
      multiEdit: () => files.multiEdit("/a", [{ old: "1", new: "2" }], { signal }),
      delete: () => files.delete("/a", { signal }),
      "delete of a directory": () => files.delete("/d", { signal }),
      move: () => files.move("/a", "/new", { signal }),
      copy: () => files.copy("/a", "/new", { signal }),
      uploadFiles: async () => (await files.uploadFiles([["/new", bytes("1")]], { signal }))[0],
      execute: () => files.execute("make", { signal }),
    };
    const late = new Promise((resolve) => setTimeout(resolve, 5000, "no answer").unref());
    return Promise.race([calls[method](), late]);
  };
  return { base, kept, call, errors };
}

/** A backend that never answers these methods, except that it keeps to the signal where it gets one. */
function hanging(backend: MemoryBackend, hangs: (method: string, args: string) => boolean) {
  return interceptBackend(backend, async ({ method, args }, proceed, refuse) => {
    if (!hangs(method, JSON.stringify(args[0]))) return proceed();
    const options = args.at(-1) as { signal?: AbortSignal } | undefined;
    return new Promise((resolve) => {
      const aborted = (): void => resolve(refuse({ error: "It was aborted.", code: "aborted" }));
      options?.signal?.addEventListener("abort", aborted);
    });
  });
}

describe("an aborted call is answered (A8)", () => {
  test.concurrent.each(METHODS)("while the look before it has no answer: %s", async (method) => {
    const isLook = (name: string): boolean => ["downloadFiles", "stat", "glob"].includes(name);
    const { base, call } = await stage({ base: (inner) => hanging(inner, isLook) });
    expect(await call(method, AbortSignal.timeout(20))).toMatchObject({ code: "aborted" });
    expect(await contents(base)).toEqual({ "/a": "1", "/d/a": "1" });
  });

  test.concurrent.each(METHODS)(
    "while the journal does not store its beginning: %s",
    async (method) => {
      const stalled = (kept: MemoryBackend): AnyBackendProtocol =>
        interceptBackend(kept, async (call, proceed) =>
          call.method === "uploadFiles" ? new Promise<never>(() => undefined) : proceed(),
        );
      const { base, call } = await stage({ kept: stalled });
      expect(await call(method, AbortSignal.timeout(20))).toMatchObject({ code: "aborted" });
      expect(await contents(base)).toEqual({ "/a": "1", "/d/a": "1" });
    },
  );

  test.concurrent.each(METHODS)(
    "while the journal does not store its end, which is stored later: %s",
    async (method) => {
      const controller = new AbortController();
      let goOn: (() => void) | undefined;
      const waiting = new Promise<void>((resolve) => (goOn = resolve));
      const stalled = (kept: MemoryBackend): AnyBackendProtocol =>
        interceptBackend(kept, async ({ args }, proceed) => {
          if (JSON.stringify(args[0]).includes(".end.")) {
            controller.abort();
            await waiting;
          }
          return proceed();
        });
      const { call, kept } = await stage({ kept: stalled });
      const answer = await call(method, controller.signal);
      expect(answer).not.toBe("no answer");
      expect(answer).not.toHaveProperty("code");
      goOn?.();
      const phases = async (): Promise<string[]> =>
        (await fileJournal(kept).read({})).map(({ phase }) => phase);
      await vi.waitFor(async () => expect(await phases()).toEqual(["begin", "end"]), 60_000);
    },
  );
});

test("an aborted call that waits for another one of its file is answered (A8)", async () => {
  const { call } = await stage({
    base: (inner) =>
      hanging(inner, (method, args) => method === "downloadFiles" && args.includes("/a")),
  });
  const first = new AbortController();
  const ahead = call("edit", first.signal);
  expect(await call("edit", AbortSignal.timeout(20))).toMatchObject({ code: "aborted" });
  first.abort();
  expect(await ahead).toMatchObject({ code: "aborted" });
});

test("what was aborted before it was recorded is known not to be done", async () => {
  let goOn: (() => void) | undefined;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  const base = new MemoryBackend();
  const store = fileJournal(new MemoryBackend());
  const append: typeof store.append = async (entries, kept) => {
    await waiting;
    await store.append(entries, kept);
  };
  const files = withJournal(base, { store: { ...store, append } });
  const aborted = await files.write("/a", "1", { signal: AbortSignal.timeout(20) });
  expect(aborted.code).toBe("aborted");
  goOn?.();
  await expect.poll(async () => (await store.read({})).length).toBe(1);
  await files.write("/b", "1");
  expect((await files.journal.history()).records).toMatchObject([
    { outcome: "refused", code: "aborted" },
    { outcome: "done" },
  ]);
});
