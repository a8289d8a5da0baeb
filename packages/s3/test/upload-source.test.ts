import { describe, expect, test } from "vitest";
import type { Bucket } from "../src/bucket.js";
import { bodyOfStream } from "../src/body-stream.js";
import { putParts } from "../src/upload-parts.js";
import { fateOf, isReplaced, withWrite } from "../src/write-log.js";

describe("the source of an upload", () => {
  test("that is silent does not hold an aborted call, and is closed", async () => {
    let closed = false;
    const silent: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: async () => {
          closed = true;
          return { done: true as const, value: undefined };
        },
      }),
    };
    const body = bodyOfStream(silent, Infinity, AbortSignal.timeout(20));
    await expect(body.toArray()).rejects.toMatchObject({ code: "aborted" });
    expect(closed).toBe(true);
  });

  test("is closed when the upload cannot be started", async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(4 * 1024 * 1024);
      } finally {
        closed = true;
      }
    }
    const bucket = { createUpload: async () => Promise.reject(new Error("no such bucket")) };
    const body = bodyOfStream(endless(), Infinity, undefined);
    const put = putParts(bucket as unknown as Bucket, { Key: "a" }, body, {
      signal: undefined,
    });
    await expect(put).rejects.toThrow("no such bucket");
    await expect.poll(() => closed).toBe(true);
  });
});

describe("a write whose answer was lost", () => {
  const log = withWrite(withWrite(undefined, "first", "on"), "second", "off");

  test("was refused when another has replaced what it was for", () => {
    expect(fateOf({ Metadata: log, ETag: '"new"' }, "mine", "off")).toBe("refused");
  });

  test("may still be carried out when that stands again", () => {
    const standing = { Metadata: log, ETag: '"on"' };
    expect(fateOf(standing, "mine", "on")).toBe("unknown");
    expect(isReplaced(standing, "on")).toBe(false);
  });
});
