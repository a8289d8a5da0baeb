import { type Filesystem, MemoryBackend, type Quota, withAudit, withQuota } from "@fs/protocol";
import { describe, expect, test } from "vitest";
import { applyEdits, replacementOf } from "../src/text/edit.js";
import { mostGrowth } from "../src/wrap/most-growth.js";
import { RecentTimes } from "../src/wrap/recent-times.js";
import { SizeTree } from "../src/wrap/size-tree.js";

/** A quota over files, and the calls that it makes on them: the method and its first path. */
async function limited(
  quota: Quota,
  files: Readonly<Record<string, string>>,
  inner: Filesystem = new MemoryBackend(),
): Promise<{ backend: Filesystem; calls: () => string[] }> {
  for (const [path, content] of Object.entries(files)) await inner.write(path, content);
  let calls: string[] = [];
  const counted = withAudit(inner, ({ phase, method, accesses }) => {
    if (phase === "end") calls.push(`${method} ${accesses[0]?.path}`);
  });
  const backend = withQuota(counted, quota);
  await backend.write("/first", "");
  calls = [];
  return { backend, calls: () => calls.splice(0) };
}

/** Answers a change as if the storage had fallen silent, or refused, on the way. */
class Faulty extends MemoryBackend {
  fault: "unavailable" | "permission_denied" | undefined;

  override async write(...args: Parameters<MemoryBackend["write"]>) {
    const result = await super.write(...args);
    return this.fault === undefined ? result : { error: "No answer." as const, code: this.fault };
  }

  override async delete(path: string) {
    if (this.fault === undefined) return super.delete(path);
    await super.delete(`${path}/one`);
    return { error: "No more than that." as const, code: this.fault };
  }
}

describe("a quota looks at nothing that it knows", () => {
  test("a change is one call, also after one that was refused", async () => {
    const { backend, calls } = await limited({ bytes: 1000 }, { "/d/a": "one two", "/e/b": "x" });
    expect((await backend.edit("/d/a", "absent", "x")).code).toBe("no_match");
    expect((await backend.write("/d/a", "x")).code).toBe("already_exists");
    expect((await backend.delete?.("/none"))?.code).toBe("not_found");
    await backend.edit("/d/a", "one", "three");
    await backend.multiEdit?.("/d/a", [{ old: "t", new: "tt", replaceAll: true }]);
    await backend.move?.("/d", "/f");
    await backend.delete?.("/f");
    await backend.uploadFiles?.([["/up", new Uint8Array(3)]]);
    expect(calls()).toEqual([
      "edit /d/a",
      "write /d/a",
      "delete /none",
      "edit /d/a",
      "multiEdit /d/a",
      "move /d",
      "delete /f",
      "uploadFiles /up",
    ]);
  });

  test("an edit is read first only where it might not fit", async () => {
    const { backend, calls } = await limited({ bytes: 12 }, { "/a": "12345", "/b": "abbb" });
    expect((await backend.edit("/a", "5", "567")).error).toBeUndefined();
    expect(calls()).toEqual(["edit /a"]);
    // Four letters could become eight; there is room for one more, and one is all it takes.
    expect((await backend.edit("/b", "a", "aa", true)).error).toBeUndefined();
    expect(calls()).toEqual(["readRaw /b", "edit /b"]);
    expect((await backend.edit("/a", "1", "11")).code).toBe("quota_exceeded");
    expect(calls()).toEqual(["readRaw /a"]);
    expect((await backend.edit("/a", "1", "")).error).toBeUndefined();
    expect((await backend.write("/c", "1")).error).toBeUndefined();
    expect((await backend.write("/d", "1")).code).toBe("quota_exceeded");
  });

  test("line ends that an edit keeps count", async () => {
    for (const [bytes, code] of [
      [6, "quota_exceeded"],
      [7, undefined],
    ] as const) {
      const { backend } = await limited({ bytes }, { "/a": "a\r\nb" });
      expect((await backend.edit("/a", "a\nb", "a\nb\nc")).code).toBe(code);
    }
  });
});

describe("a quota looks again at what it cannot know", () => {
  test("a change without an answer, and that path alone", async () => {
    const inner = new Faulty();
    const { backend, calls } = await limited({ bytes: 10 }, { "/d/a": "1234" }, inner);
    inner.fault = "unavailable";
    expect((await backend.write("/d/b", "56789")).code).toBe("unavailable");
    inner.fault = undefined;
    expect((await backend.write("/d/c", "12")).code).toBe("quota_exceeded");
    expect((await backend.write("/d/c", "1")).error).toBeUndefined();
    expect(calls()).toEqual(["write /d/b", "glob /d/b", "write /d/c"]);
  });

  test("a directory that failed on the way", async () => {
    const inner = new Faulty();
    const files = { "/d/one": "1234", "/d/two": "12", "/e": "1234" };
    const { backend, calls } = await limited({ bytes: 10 }, files, inner);
    inner.fault = "permission_denied";
    expect((await backend.delete?.("/d"))?.code).toBe("permission_denied");
    inner.fault = undefined;
    expect((await backend.write("/f", "12345")).code).toBe("quota_exceeded");
    expect((await backend.write("/f", "1234")).error).toBeUndefined();
    expect(calls()).toEqual(["delete /d", "glob /d", "write /f"]);
  });

  test("all of it, where that path cannot be looked at", async () => {
    const inner = new Faulty();
    const glob = inner.glob.bind(inner);
    inner.glob = async (pattern, path = "/", options) =>
      path === "/"
        ? glob(pattern, path, options)
        : { error: "Not here." as const, code: "permission_denied" as const };
    const { backend, calls } = await limited({ bytes: 10 }, { "/d": "1234" }, inner);
    inner.fault = "unavailable";
    await backend.write("/e", "56789");
    inner.fault = undefined;
    expect((await backend.write("/f", "12")).code).toBe("quota_exceeded");
    expect(calls()).toEqual(["write /e", "glob /e", "glob /"]);
  });

  test("a path that is none makes no doubt", async () => {
    const { backend, calls } = await limited({ bytes: 10 }, {});
    expect((await backend.write("relative", "1")).code).toBe("invalid_path");
    expect((await backend.delete?.(5 as unknown as string))?.code).toBe("invalid_path");
    expect((await backend.write("/a", "1")).error).toBeUndefined();
    expect(calls().filter((call) => call.startsWith("glob"))).toEqual([]);
  });
});

test("sizes by directory are those of a plain map", () => {
  const tree = new SizeTree();
  const map = new Map<string, number>();
  let state = 1;
  const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 3000; round++) {
    const path = `/${Array.from({ length: 1 + next(4) }, () => "abc"[next(3)]).join("/")}`;
    const size = next(3) === 0 ? undefined : next(100);
    tree.set(path, size);
    if (size === undefined) map.delete(path);
    else map.set(path, size);
    const below = [...map.keys()].filter((file) => file === path || file.startsWith(`${path}/`));
    expect(tree.below(path).toSorted()).toEqual(below.toSorted());
    expect(tree.files).toBe(map.size);
    expect(tree.bytes).toBe([...map.values()].reduce((sum, one) => sum + one, 0));
  }
  expect(tree.below("/").toSorted()).toEqual([...map.keys()].toSorted());
});

test("an edit never adds more than the most that is expected of it", () => {
  const texts = ["", "a", "\n", "\r\n", "aa", "é\n", "a\r\nb\r\n", "x\ny"];
  for (const text of [...texts, "a\r\nb\r\na\r\nb", "aaaa\r\naaaa"])
    for (const old of texts)
      for (const replacement of texts)
        for (const replaceAll of [false, true]) {
          const edit = { old, new: replacement, replaceAll };
          const outcome = applyEdits(text, [replacementOf(edit)]);
          if (outcome.refusal !== undefined) continue;
          const size = Buffer.byteLength(text);
          const grown = Buffer.byteLength(outcome.text) - size;
          expect(grown).toBeLessThanOrEqual(mostGrowth([edit], size));
        }
});

test("moments count for their span and are cleared away", () => {
  const times = new RecentTimes(10);
  for (let now = 0; now < 10_000; now++) {
    expect(times.oldestAt(now)).toBe(now === 0 ? undefined : Math.max(0, now - 9));
    expect(times.count).toBe(Math.min(now, 9));
    times.add(now);
  }
});

test("a tree that is over its quota already may shrink, in files and in bytes", async () => {
  const inner = new MemoryBackend();
  for (const path of ["/1", "/2", "/3", "/4"]) await inner.write(path, "12345");
  const backend = withQuota(inner, { files: 1, bytes: 2 });
  expect(await backend.delete("/1")).toEqual({ path: "/1" });
  expect((await backend.edit("/2", "345", "3")).error).toBeUndefined();
  expect((await backend.move("/3", "/moved")).error).toBeUndefined();
  expect((await backend.copy("/4", "/copy")).code).toBe("quota_exceeded");
});
