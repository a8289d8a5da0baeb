import { setImmediate as nextTurn } from "node:timers/promises";
import type { BackendProtocolV2 } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";

/** What callers without types pass where options belong. */
const NO_OPTIONS = null as unknown as undefined;

const encoder = new TextEncoder();

/** Files of one batch: more than any backend begins at once. */
const BATCH = 40;

/** Turns of the event loop that a batch has been given when its signal fires. */
const MOMENTS = [0, 1, 2, 3, 5, 8, 13];

function filesIn(directory: string): Array<[string, Uint8Array]> {
  return Array.from({ length: BATCH }, (_, n) => [
    `/${directory}/${n}.txt`,
    encoder.encode(`content ${n}`),
  ]);
}

async function abortedInBetween({ backend, check, profile }: CaseContext): Promise<void> {
  const isKnown = (
    answer: { error: unknown; code?: unknown } | undefined,
    what: string,
  ): boolean => {
    if (answer?.error === null) return true;
    const { code } = answer ?? {};
    check.that(
      !profile.codes || code === "aborted" || code === "unavailable",
      `${what} was aborted and answers ${JSON.stringify(code)}.`,
    );
    return false;
  };
  const kept = filesIn("kept");
  const keptPaths = kept.map(([path]) => path);
  await backend.uploadFiles(kept);
  for (const turns of MOMENTS) {
    const when = `aborted after ${turns} turns`;
    const files = filesIn(`at${turns}`);
    const uploads = await aborted(turns, (signal) => backend.uploadFiles(files, { signal }));
    const stored = await backend.downloadFiles(files.map(([path]) => path));
    const fetched = await aborted(turns, (signal) => backend.downloadFiles(keptPaths, { signal }));
    for (const [n, [path, bytes]] of files.entries()) {
      const content = stored[n]?.content ?? null;
      if (isKnown(uploads[n], `The upload of ${path}`) || content !== null)
        check.equal(content, bytes, `What is stored at ${path}, ${when}`);
      if (isKnown(fetched[n], `The download of ${keptPaths[n]}`))
        check.equal(fetched[n]?.content, bytes, `What is fetched of ${keptPaths[n]}, ${when}`);
    }
  }
}

/** The answer of a call whose signal fires after some turns of the event loop. */
async function aborted<T>(turns: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const pending = call(controller.signal);
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  controller.abort();
  return pending;
}

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
    id: "guard/transfer-aborted-in-between",
    rules: ["A8", "T1"],
    level: "core",
    needs: ["signals", "transfer"],
    why: "A file of a batch that is answered without an error is stored, or fetched, also where the batch was aborted meanwhile.",
    hint: "Begin with an answer for no file, and add each once it is known.",
    run: abortedInBetween,
  },
  {
    id: "guard/buffers-taken-at-once",
    rules: ["A5"],
    level: "core",
    needs: ["transfer"],
    why: "What a caller does to its buffers once the call has been made changes nothing that is stored.",
    hint: "Copy the bytes before the first await.",
    run: async (context) => {
      const { check, profile } = context;
      const { fileBytes = Infinity } = profile.limits;
      // Not the guarded backend, which would copy before the backend could forget to.
      const backend: BackendProtocolV2 = context.instance.backend;
      const files = Array.from({ length: BATCH }, (_, n): [string, Uint8Array] => [
        `/d/${n}.txt`,
        // Some are larger than what a storage sends at once.
        encoder.encode(`content ${n}`.padEnd(n % 10 === 0 ? Math.min(200_000, fileBytes) : 0, "-")),
      ]);
      const contents = files.map(([path, bytes]) => [path, bytes.slice()] as const);
      const pending = backend.uploadFiles?.(files);
      for (const [, bytes] of files) bytes.fill(0x2a);
      const failed = (await pending)?.filter(({ error }) => error !== null);
      check.equal(failed, [], "The uploads that failed");
      await context.holds(Object.fromEntries(contents));
    },
  },
];
