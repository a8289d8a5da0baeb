import { createHash, randomBytes } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SynchronousContext } from "../src/host/async-context.js";
import { base64Length, base64Of, bytesOfBase64 } from "../src/host/base64.js";
import { digestOf } from "../src/host/digest.js";
import { shaOf } from "../src/host/sha.js";
import { utf8Length } from "../src/host/utf8-length.js";

const NODE_BUFFER = Buffer;
const TEXTS = [
  "",
  "a",
  "é",
  "€uro",
  "😀",
  "\ud83d",
  "\ude00x",
  "a\ud83d\ud83d\ude00",
  "ﬀ\u07ff\u0800",
];
const BASE64 = ["", "QQ==", "QUI=", "QUJD", "QUJD=QUJD", "Q U\nJD", "_-_-", "Q", "QQ", "%%%%"];

afterEach(() => vi.unstubAllGlobals());

// What a browser has to do by itself is compared with what Node does.
describe("without Node's modules", () => {
  test.each(["sha1", "sha256"] as const)("%s of any length is the same", (name) => {
    for (let length = 0; length < 200; length += 1) {
      const bytes = randomBytes(length);
      expect(NODE_BUFFER.from(shaOf(name, bytes))).toEqual(createHash(name).update(bytes).digest());
    }
    const large = randomBytes(100_000);
    expect(NODE_BUFFER.from(shaOf(name, large))).toEqual(createHash(name).update(large).digest());
  });

  test.each(["hex", "base64url"] as const)("a digest in %s is the same", (form) => {
    const parts = ["2026", "ä\ud83d", randomBytes(90)];
    const expected = digestOf("sha256", form, ...parts);
    vi.stubGlobal("process", undefined);
    vi.stubGlobal("Buffer", undefined);
    const found = digestOf("sha256", form, ...parts);
    vi.unstubAllGlobals();
    expect(found).toBe(expected);
  });

  test.each(TEXTS)("the bytes of %j are counted alike", (text) => {
    const expected = NODE_BUFFER.byteLength(text);
    vi.stubGlobal("Buffer", undefined);
    expect(utf8Length(text)).toBe(expected);
  });

  test("base64 is written alike", () => {
    for (const length of [0, 1, 2, 3, 100, 100_000]) {
      const bytes = randomBytes(length);
      const expected = base64Of(bytes);
      vi.stubGlobal("Buffer", undefined);
      expect(base64Of(bytes)).toBe(expected);
      vi.unstubAllGlobals();
    }
  });

  test.each(BASE64)("base64 %j is read alike", (text) => {
    const expected = [...bytesOfBase64(text)];
    const length = base64Length(text);
    vi.stubGlobal("Buffer", undefined);
    expect([...bytesOfBase64(text)]).toEqual(expected);
    if (/^[\w+/-]*=*$/.test(text)) expect(base64Length(text)).toBe(length);
  });

  test("a value belongs to the task until it waits, and to no other task afterwards", async () => {
    const context = new SynchronousContext<string>();
    const seen: Array<string | undefined> = [];
    const task = async (): Promise<void> => {
      seen.push(context.getStore());
      await Promise.resolve();
      seen.push(context.getStore());
    };
    const running = context.run("one", () => context.run("two", task));
    expect(context.getStore()).toBeUndefined();
    await running;
    expect(seen).toEqual(["two", undefined]);
  });
});
