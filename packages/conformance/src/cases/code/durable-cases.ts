import type { ResultBase } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";
import { beginning } from "./begin-fault.js";

const TREE = {
  "/a.txt": "one\r\ntwo\n",
  "/empty.txt": "",
  "/d/deep/er/b.md": "\ufeff# é😀\n",
  "/d/[x] y.txt": "x",
};

/** What a restart, another client, an outage and a second disposal leave of the files. */
export const durableCases: readonly Case[] = [
  {
    id: "durable/reopen",
    rules: ["A7"],
    level: "durable",
    needs: ["durable", "reopen"],
    why: "After a restart the tree is byte for byte what was acknowledged.",
    run: async (context) => {
      await context.given(TREE);
      context.check.succeeded(await context.backend.edit("/a.txt", "one", "1"), "edit");
      const reopened = await context.reopen();
      await context.holds({ ...TREE, "/a.txt": "1\r\ntwo\n" }, reopened);
      const listed = (await reopened.glob("**")).files?.map(({ path }) => path);
      context.check.equal(listed, Object.keys(TREE).toSorted(), "The files after the restart");
    },
  },
  {
    id: "durable/created-at",
    rules: ["W7"],
    level: "durable",
    needs: ["durable", "reopen", "times=kept"],
    why: "A file is as old after a restart as it was before, edits included.",
    run: async (context) => {
      await context.given({ "/a.txt": "one" });
      context.check.succeeded(await context.backend.edit("/a.txt", "one", "1"), "edit");
      const before = await context.backend.readRaw("/a.txt");
      const after = await (await context.reopen()).readRaw("/a.txt");
      context.check.equal(
        after.data?.created_at,
        before.data?.created_at,
        "created_at after the restart",
        "W7",
      );
    },
  },
  {
    id: "durable/binary",
    rules: ["A7", "T1"],
    level: "durable",
    needs: ["durable", "reopen", "content=bytes", "transfer"],
    why: "Bytes survive a restart.",
    run: async (context) => {
      const bytes = Uint8Array.from(range(256));
      await context.given({ "/a.bin": bytes, "/b.txt": Uint8Array.of(255, 0) });
      await context.holds(
        { "/a.bin": bytes, "/b.txt": Uint8Array.of(255, 0) },
        await context.reopen(),
      );
    },
  },
  {
    id: "durable/acknowledged",
    rules: ["A7"],
    level: "durable",
    needs: ["durable", "reopen"],
    why: "What was acknowledged right before a restart is there after it.",
    hint: "Answer once the storage has the file, not once the request was sent.",
    run: async (context) => {
      const paths = range(20).map((n) => `/p/${n}.txt`);
      const results = await race(paths.map((path) => () => context.backend.write(path, path)));
      for (const [n, result] of results.entries()) context.check.succeeded(result, `write ${n}`);
      await context.holds(
        Object.fromEntries(paths.map((path) => [path, path])),
        await context.reopen(),
      );
    },
  },
  {
    id: "durable/works-on",
    rules: ["A7", "E1"],
    level: "durable",
    needs: ["durable", "reopen"],
    why: "A reopened backend edits, creates and refuses as before.",
    run: async (context) => {
      await context.given({ "/a.txt": "one" });
      const reopened = await context.reopen();
      context.check.succeeded(
        await reopened.edit("/a.txt", "one", "two"),
        "edit after the restart",
      );
      if (context.profile.writeMode === "create")
        context.check.failed(
          await reopened.write("/a.txt", "x"),
          "already_exists",
          "write after the restart",
          "W1",
        );
      await context.holds({ "/a.txt": "two" }, reopened);
    },
  },
  {
    id: "peer/sees-at-once",
    rules: ["A7"],
    level: "safe",
    needs: ["peer", "consistency=strong", "atomicity=clients"],
    why: "Another client sees an acknowledged write, edit and removal at once.",
    hint: "A cache in one client must ask whether it is still right.",
    run: async (context) => {
      const peer = await context.peer();
      await context.given({ "/a.txt": "one" });
      await context.holds({ "/a.txt": "one" }, peer);
      context.check.succeeded(await peer.edit("/a.txt", "one", "two"), "the peer's edit");
      await context.holds({ "/a.txt": "two" });
      context.check.equal(
        (await context.backend.read("/a.txt")).content,
        "two",
        "What is read after the peer's edit",
      );
      context.check.succeeded(
        await context.backend.edit("/a.txt", "two", "three"),
        "an edit after the peer's",
      );
      await context.holds({ "/a.txt": "three" }, peer);
      if (!context.profile.delete) return;
      context.check.succeeded(await peer.delete("/a.txt"), "the peer's delete");
      context.check.failed(
        await context.backend.read("/a.txt"),
        "not_found",
        "read after the peer's delete",
      );
    },
  },
  {
    id: "fault/outage",
    rules: ["A1", "A7"],
    level: "safe",
    needs: ["faults"],
    why: "While the storage is away every call answers with an error; afterwards all that was acknowledged is there.",
    hint: "Give the client a connect timeout, and turn its errors into 'unavailable'.",
    run: outage,
  },
  {
    id: "fault/dispose-twice",
    rules: ["A1"],
    level: "core",
    needs: [],
    why: "Disposing of a backend twice does no harm.",
    run: async (context) => {
      const backend = context.backend.unguarded;
      const dispose: unknown = Reflect.get(backend, Symbol.asyncDispose);
      if (typeof dispose !== "function")
        throw new NotApplicable("the backend has no Symbol.asyncDispose");
      await Reflect.apply(dispose, backend, []);
      await Reflect.apply(dispose, backend, []);
      context.check.that(true, "Both disposals ended.");
    },
  },
];

async function outage(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await context.given({ "/a.txt": "a" });
  const heal = await beginning(context, "cut");
  const codes = ["unavailable", "timeout", "conflict"];
  const failures = await duringOutage(backend);
  await heal();
  for (const [index, failure] of failures.entries())
    check.failed(failure, codes, `call ${index} of the outage`);
  await context.holds({ "/a.txt": "a", "/b.txt": null });
}

async function duringOutage(backend: GuardedBackend): Promise<ResultBase[]> {
  const calls = await Promise.allSettled([
    backend.read("/a.txt"),
    backend.ls("/"),
    backend.glob("**"),
    backend.grep("a"),
    backend.write("/b.txt", "b"),
    backend.edit("/a.txt", "a", "b"),
  ]);
  // A call that threw is known to the guard, which fails the case for it.
  return calls.map((call) =>
    call.status === "fulfilled" ? call.value : { error: "thrown", code: "unavailable" },
  );
}
