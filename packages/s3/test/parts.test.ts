import { searchLines, type LinePattern } from "@fs/protocol/hooks";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BoundedCache } from "../src/bounded-cache.js";
import { bareEtag, isOneVersion } from "../src/etag.js";
import { mayHaveHappened } from "../src/attempts.js";
import { attemptsOf, isConditionFailed, volumeErrorOf } from "../src/failures.js";
import { mapInOrder } from "../src/in-order.js";
import { compareKeys, justBefore, sortsOtherwise } from "../src/key-order.js";
import { ScanCache } from "../src/scan-cache.js";
import { searchStream } from "../src/search-stream.js";

const literal = (source: string): LinePattern => ({
  source,
  regex: false,
  ignoreCase: false,
  matches: (line) => line.includes(source),
});

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

describe("searchStream", () => {
  test("finds what a search of the whole text finds, wherever the text is cut", async () => {
    const word = fc.constantFrom("x", "é", "😀", "\n", "\r\n", "needle", " ", "\ufeff");
    const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(""));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 5 }),
        async (whole, size, limit) => {
          const found = await searchStream(
            cut(Buffer.from(whole), size),
            literal("needle"),
            limit,
            1000,
          );
          expect(found).toEqual(searchLines(whole, literal("needle"), limit));
        },
      ),
    );
  });

  test("what turns out not to be text has no hits, however late it turns out", async () => {
    for (const end of [[0], [0xff], [0xe2, 0x82]])
      expect(
        await searchStream(
          cut(Buffer.from([...Buffer.from("needle\n".repeat(9)), ...end]), 10),
          literal("needle"),
          1,
          99,
        ),
      ).toEqual([]);
  });

  test("holds no more than a line, and refuses one without an end", async () => {
    const endless = cut(Buffer.alloc(5000, 0x61), 10);
    await expect(searchStream(endless, literal("b"), 1, 1000)).rejects.toMatchObject({
      code: "too_large",
    });
  });
});

describe("BoundedCache", () => {
  test("holds no more than its limit, and drops what was used longest ago", () => {
    const cache = new BoundedCache<string>(10);
    cache.set("a", "1", "A", 4);
    cache.set("b", "1", "B", 4);
    expect(cache.get("a", "1")).toBe("A");
    cache.set("c", "1", "C", 4);
    expect([cache.get("a", "1"), cache.get("b", "1"), cache.get("c", "1")]).toEqual([
      "A",
      undefined,
      "C",
    ]);
    cache.set("d", "1", "D", 11);
    expect([cache.get("d", "1"), cache.weight]).toEqual([undefined, 8]);
  });

  test("never answers with another version, and counts a replaced one once", () => {
    const cache = new BoundedCache<string>(10);
    cache.set("a", "1", "old", 3);
    cache.set("a", "2", "new", 5);
    expect([cache.get("a", "1"), cache.get("a", "2"), cache.weight]).toEqual([undefined, "new", 5]);
  });
});

describe("ScanCache", () => {
  const scan = (cache: ScanCache<string>, keys: readonly string[]): string[] => {
    cache.beginScan();
    return keys.filter((key) => {
      if (cache.get(key, "1") !== undefined) return true;
      cache.set(key, "1", key, 1);
      return false;
    });
  };

  test("of what is scanned again and again it keeps as much as there is room for", () => {
    const cache = new ScanCache<string>(4);
    const keys = Array.from("abcdefgh");
    expect(scan(cache, keys)).toEqual([]);
    for (let round = 0; round < 3; round++) expect(scan(cache, keys)).toEqual(Array.from("abcd"));
    expect(cache.weight).toBe(4);
  });

  test("what no scan uses any more makes room for what is scanned now", () => {
    const cache = new ScanCache<string>(4);
    scan(cache, Array.from("abcd"));
    // A scan of other files in between takes nothing from one that comes again.
    expect(scan(cache, Array.from("wxyz"))).toEqual([]);
    expect(scan(cache, Array.from("abcd"))).toEqual(Array.from("abcd"));
    scan(cache, Array.from("wxyz"));
    scan(cache, Array.from("wxyz"));
    expect(scan(cache, Array.from("wxyz"))).toEqual(Array.from("wxyz"));
  });

  test("never answers with another version, and lets go of one that was replaced", () => {
    const cache = new ScanCache<string>(4);
    cache.set("a", "1", "old", 3);
    cache.set("a", "2", "new", 2);
    expect([cache.get("a", "1"), cache.get("a", "2"), cache.weight]).toEqual([undefined, "new", 2]);
    cache.set("a", "3", "too much", 5);
    expect([cache.get("a", "2"), cache.get("a", "3"), cache.weight]).toEqual([
      undefined,
      undefined,
      0,
    ]);
  });
});

describe("the order of keys", () => {
  test("is that of their bytes", () => {
    const keys = [
      "a",
      "a/b",
      "a.b",
      "a0",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{10ffff}",
      "",
    ];
    const bytes = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(keys.toSorted(compareKeys)).toEqual(bytes);
  });

  test("is that of paths but for what sorts otherwise", () => {
    const odd = ["\ue000", "\uffff", "\uff01x"];
    expect(odd.filter(sortsOtherwise)).toEqual(odd);
    expect(["a", "\u4e00", "\ud7ff", "\u{1f600}"].filter(sortsOtherwise)).toEqual([]);
  });

  test.each(["a", "b/c", "x\ud7ff", "\ue000", "x\u{10000}", "x\u{10400}", "\u{1f600}"])(
    "just before %j is a key that can be sent and sorts before it",
    (key) => {
      const before = justBefore(key);
      expect(before.isWellFormed()).toBe(true);
      expect(compareKeys(before, key)).toBeLessThan(0);
    },
  );
});

describe("mapInOrder", () => {
  test("keeps the order, the width and nothing running after an early end", async () => {
    let underWay = 0;
    let most = 0;
    let begun = 0;
    const task = async (n: number, signal: AbortSignal): Promise<number> => {
      begun++;
      most = Math.max(most, ++underWay);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, (n * 7) % 5);
        signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
      });
      underWay--;
      return n;
    };
    const seen: number[] = [];
    const input = async function* (): AsyncGenerator<number[]> {
      for (let n = 0; n < 40; n += 8) yield Array.from({ length: 8 }, (_, i) => n + i);
    };
    for await (const n of mapInOrder(input, 4, task)) {
      seen.push(n);
      if (n === 9) break;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([underWay, most]).toEqual([0, 4]);
    expect(begun).toBeLessThanOrEqual(14);
  });

  test("throws what a task threw, in its turn", async () => {
    const input = async function* (): AsyncGenerator<number[]> {
      yield [1, 2, 3];
    };
    const results = mapInOrder(input, 3, async (n) => {
      if (n === 2) throw new RangeError("two");
      return n;
    });
    expect((await results.next()).value).toBe(1);
    await expect(results.next()).rejects.toThrow(RangeError);
  });

  test("throws what its input threw once all before it was handed out, and asks for no input that no task waits for", async () => {
    let asked = 0;
    const input = async function* (): AsyncGenerator<number[]> {
      for (; asked < 2; asked++) yield [asked * 2, asked * 2 + 1];
      throw new RangeError("the third");
    };
    const narrow = mapInOrder(input, 1, async (n) => n);
    expect((await narrow.next()).value).toBe(0);
    expect(asked).toBe(0);
    await narrow.return(undefined);
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      for await (const n of mapInOrder(input, 8, async (item) => item)) seen.push(n);
    };
    await expect(read()).rejects.toThrow("the third");
    expect(seen).toEqual([0, 1, 2, 3]);
  });
});

describe("failures", () => {
  const refusal = (status: number | undefined, attempts = 1, name = "X"): Error =>
    Object.assign(new Error("secret 10.0.0.1"), {
      name,
      $metadata: { httpStatusCode: status, attempts },
    });

  test("ETags lose their quotes and their weakness", () => {
    expect([
      bareEtag('"abc-2"'),
      bareEtag("abc"),
      bareEtag('W/"abc"'),
      bareEtag(undefined),
    ]).toEqual(["abc-2", "abc", "abc", undefined]);
  });

  test("what would match more than one version is none", () => {
    for (const version of [
      "*",
      "",
      "a,b",
      '"a"',
      'W/"a"',
      "a b",
      "a\r\nx-amz-acl: public-read",
      "ü",
    ])
      expect([version, isOneVersion(version)]).toEqual([version, false]);
    for (const version of ["2094b601daac3d68f5aed51d3c20f7cd", "2094-12", "a+/=_", "**"])
      expect([version, isOneVersion(version)]).toEqual([version, true]);
  });

  test("tells a failed condition from a failure, and a certain failure from an uncertain one", () => {
    expect(isConditionFailed(refusal(412), "absent")).toBe(true);
    expect(isConditionFailed(refusal(409), "version")).toBe(true);
    expect(isConditionFailed(refusal(404), "version")).toBe(true);
    expect(isConditionFailed(refusal(404), "absent")).toBe(false);
    expect(isConditionFailed(refusal(404, 1, "NoSuchBucket"), "version")).toBe(false);
    expect(
      [refusal(412), refusal(412, 2), refusal(500), refusal(undefined)].map(mayHaveHappened),
    ).toEqual([false, true, true, true]);
    // Never sent, or refused by a server that knows no such request.
    const unsent = Object.assign(new Error("x"), { code: "ECONNREFUSED" });
    expect([unsent, refusal(501)].map(mayHaveHappened)).toEqual([false, false]);
    expect(attemptsOf("not an error")).toBe(1);
  });

  test("no sentence repeats what the server said", () => {
    for (const name of [
      "AccessDenied",
      "NoSuchBucket",
      "SlowDown",
      "ExpiredToken",
      "TimeoutError",
      "InternalError",
    ]) {
      const error = volumeErrorOf(refusal(500, 1, name), "/a");
      expect(error).toMatchObject({ cause: expect.any(Error) });
      expect(String(error)).not.toContain("10.0.0.1");
    }
  });
});
