import { type Filesystem, interceptBackend, MemoryBackend, type UploadFile } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { baseWith, bytes, contents } from "./trees.js";

const DOWN = { code: "unavailable" } as const;

const CALLS: ReadonlyArray<[name: string, call: (staged: StagingBackend) => Promise<unknown>]> = [
  ["read", (staged) => staged.read("/a")],
  ["ls", (staged) => staged.ls("/")],
  ["write", (staged) => staged.write("/new", "1")],
  ["edit", (staged) => staged.edit("/staged", "1", "2")],
  ["delete", (staged) => staged.delete("/staged")],
  ["delete of a directory", (staged) => staged.delete("/dir")],
  ["uploadFiles", async (staged) => (await staged.uploadFiles([["/new", bytes("1")]]))[0]],
  ["downloadFiles", async (staged) => (await staged.downloadFiles(["/staged"]))[0]],
  ["changes", (staged) => staged.changes()],
  ["diff", (staged) => staged.diff()],
  ["discard", (staged) => staged.discard()],
  ["rebase", (staged) => staged.rebase()],
  ["commit", (staged) => staged.commit()],
];

/** An upper layer that fails from its n-th call on, with sentences that name its own paths. */
async function failingAfter(calls: number): Promise<{ upper: Filesystem; fail: () => void }> {
  let left = Infinity;
  const upper = interceptBackend(new MemoryBackend(), async ({ args }, proceed, refuse) => {
    const [first] = [args[0]].flat(2);
    return --left < 0
      ? refuse({ ...DOWN, error: `The file ${String(first)} is gone.` })
      : proceed();
  });
  return { upper, fail: () => (left = calls) };
}

describe("an error of the upper layer", () => {
  test.each(CALLS)("names no path in it: %s (A6)", async (_, call) => {
    let failed = 0;
    for (let calls = 0; calls < 12; calls++) {
      const { upper, fail } = await failingAfter(calls);
      const staged = new StagingBackend(await baseWith({ "/a": "1", "/dir/b": "1" }), { upper });
      await staged.write("/staged", "1");
      await staged.write("/dir/c", "1");
      fail();
      const answer = JSON.stringify((await call(staged)) ?? null);
      if (answer.includes("unavailable")) failed++;
      expect(answer).not.toMatch(/\/(entries|trees|blobs|commits)\b/);
    }
    expect(failed).toBeGreaterThan(0);
  });

  test("says of a change whose entry was stored that it may have happened (A7)", async () => {
    const base = await baseWith({ "/a": "1" });
    let lossy = false;
    const upper = interceptBackend(
      new MemoryBackend(),
      async ({ method, args }, proceed, refuse) => {
        const answer = await proceed();
        const entry = JSON.stringify(args[0]).includes("/entries");
        return lossy && method === "uploadFiles" && entry
          ? refuse({ ...DOWN, error: "The storage is down." })
          : answer;
      },
    );
    const staged = new StagingBackend(base, { upper });
    lossy = true;
    const answers = [
      await staged.write("/new", "1"),
      await staged.edit("/new", "1", "2"),
      await staged.delete("/a"),
    ];
    expect(answers.map(({ code }) => code)).toEqual(Array(3).fill("unavailable"));
    for (const { error } of answers) expect(error).toContain("may have happened");
    expect(await contents(staged)).toEqual({ "/new": "2" });
  });

  test("says that a change may have happened whose look afterwards fails, whatever the reason (A7)", async () => {
    for (const code of ["permission_denied", "conflict", "unavailable"] as const) {
      const upper = new MemoryBackend();
      let stored = false;
      const base = interceptBackend(
        await baseWith({ "/d/a": "1" }),
        async ({ method }, proceed, refuse) =>
          stored && method === "downloadFiles"
            ? refuse({ error: "It does not work.", code })
            : proceed(),
      );
      const watched = interceptBackend(upper, async ({ method, args: [files] }, proceed) => {
        const answer = await proceed();
        stored ||= method === "uploadFiles" && JSON.stringify(files).includes("/entries/");
        return answer;
      });
      const staged = new StagingBackend(base, { upper: watched });
      const written = await staged.write("/d/new", "1");
      expect(written).toMatchObject({
        code: "unavailable",
        error: expect.stringContaining("may have happened"),
      });
      stored = false;
      const uploaded = await staged.uploadFiles([
        ["/d/b", bytes("1")],
        ["/d/c", bytes("1")],
      ]);
      expect(uploaded.map((answer) => answer.code)).toEqual(["unavailable", "unavailable"]);
      stored = false;
      expect(Object.keys(await contents(staged))).toEqual(["/d/a", "/d/b", "/d/c", "/d/new"]);
    }
  });

  test("says of a directory whose removal is aborted between two of its steps what is gone (A7)", async () => {
    const files = Array.from({ length: 40 }, (_, n): UploadFile => [`/dir/${n}`, bytes("1")]);
    const sentences = new Set<string>();
    for (let calls = 0; calls < 90; calls++) {
      const upper = new MemoryBackend();
      const base = await baseWith({ "/dir/0": "0", "/dir/39": "0" });
      const before = new StagingBackend(base, { upper });
      await before.uploadFiles(files);
      const controller = new AbortController();
      let left = calls;
      const watched = interceptBackend(upper, async (_, proceed) => {
        const answer = await proceed();
        if (--left < 0) controller.abort();
        return answer;
      });
      const staged = new StagingBackend(base, { upper: watched });
      const { error } = await staged.delete("/dir", { signal: controller.signal });
      const there = Object.keys(await contents(before)).length;
      if (error === undefined) expect(there).toBe(0);
      else if (there < 40) expect(error).toContain(`: ${40 - there} file`);
      sentences.add(error?.replaceAll(/\d+ files? (?:is|are)/g, "some are") ?? "none");
    }
    expect([...sentences].toSorted()).toMatchInlineSnapshot(`
      [
        "Only a part of the directory was removed (aborted): some are gone, and more may be. List it to see what is left.",
        "Only a part of the directory was removed (aborted): some are gone. List it to see what is left.",
        "The operation on '/dir' was aborted.",
        "none",
      ]
    `);
  });
});
