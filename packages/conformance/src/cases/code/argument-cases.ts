import type { BackendProtocolV2 } from "@fs/protocol";
import type { Case } from "../case.js";

/** What callers without types pass where options belong. */
const NO_OPTIONS = null as unknown as undefined;

const encoder = new TextEncoder();

/** Files of one batch: more than any backend begins at once. */
const BATCH = 40;

/** Cases about what callers do with their own arguments. */
export const argumentCases: readonly Case[] = [
  {
    id: "guard/null-options",
    rules: ["A1"],
    level: "core",
    needs: [],
    why: "Options that are null are no options.",
    hint: "A default parameter does not replace null: read options through `?.` or `?? {}`.",
    run: async (context) => {
      const { backend, check, profile } = context;
      check.succeeded(await backend.write("/a.txt", "a", NO_OPTIONS), "write");
      check.succeeded(await backend.read("/a.txt", 0, 1, NO_OPTIONS), "read");
      check.succeeded(await backend.readRaw("/a.txt", NO_OPTIONS), "readRaw");
      check.succeeded(await backend.edit("/a.txt", "a", "b", false, NO_OPTIONS), "edit");
      check.succeeded(await backend.ls("/", NO_OPTIONS), "ls");
      check.succeeded(await backend.glob("**", "/", NO_OPTIONS), "glob");
      check.succeeded(await backend.grep("b", "/", null, null, NO_OPTIONS), "grep");
      if (profile.delete) check.succeeded(await backend.delete("/a.txt", NO_OPTIONS), "delete");
      if (profile.transfer)
        check.equal(
          (await backend.uploadFiles([["/b", encoder.encode("b")]], NO_OPTIONS))[0]?.error,
          null,
          "The error of an upload",
        );
    },
  },
  {
    id: "guard/aborted-transfer",
    rules: ["A8"],
    level: "core",
    needs: ["signals", "transfer"],
    why: "An upload whose signal has fired stores nothing, and says so for each file.",
    hint: "Look at the signal before each file of a batch.",
    run: async (context) => {
      const { backend, check, profile } = context;
      const options = { signal: AbortSignal.abort() };
      const bytes = encoder.encode("late");
      const stored = await backend.uploadFiles(
        [
          ["/a.txt", bytes],
          ["/b.txt", bytes],
        ],
        options,
      );
      const failed = stored.every(({ error, code }) =>
        profile.codes ? code === "aborted" : error !== null,
      );
      check.that(failed, "Each file of an aborted upload should answer 'aborted'.");
      await context.holds({ "/a.txt": null, "/b.txt": null });
    },
  },
  {
    id: "guard/buffers-taken-at-once",
    rules: ["A5"],
    level: "core",
    needs: ["transfer"],
    why: "What a caller does to its buffers once the call has been made changes nothing that is stored.",
    hint: "Copy the bytes before the first await.",
    run: async (context) => {
      const { check } = context;
      // Not the guarded backend, which would copy before the backend could forget to.
      const backend: BackendProtocolV2 = context.instance.backend;
      const files = Array.from({ length: BATCH }, (_, n): [string, Uint8Array] => [
        `/d/${n}.txt`,
        encoder.encode(`content ${n}`),
      ]);
      const pending = backend.uploadFiles?.(files);
      for (const [, bytes] of files) bytes.fill(0x2a);
      const failed = (await pending)?.filter(({ error }) => error !== null);
      check.equal(failed, [], "The uploads that failed");
      await context.holds(
        Object.fromEntries(files.map(([path], n) => [path, `content ${n}`] as const)),
      );
    },
  },
];
