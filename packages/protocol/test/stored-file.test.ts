import { describe, expect, test } from "vitest";
import {
  storedBytesOf,
  storedFileOf,
  storedFileWith,
  storedSizeOf,
  storedTextOf,
  storedVersionOf,
  timeAfter,
} from "../src/records.js";

const text = new TextEncoder();

describe("a stored file", () => {
  test.each([
    ["/a.txt", text.encode("grüße\r\n")],
    ["/a.bin", Uint8Array.of(0, 255, 128)],
    ["/a.png", text.encode("a text by the name of an image")],
    ["/empty", new Uint8Array()],
    ["/empty.png", new Uint8Array()],
  ])("gives %s back through JSON, with its size", (path, bytes) => {
    const file = storedFileOf(path, bytes, undefined, "v2");
    const revived = JSON.parse(JSON.stringify(file)) as typeof file;
    expect(storedBytesOf(path, revived)).toEqual(bytes);
    expect(storedSizeOf(path, revived)).toBe(bytes.length);
    const { encoding: _, ...unmarked } = revived;
    expect(storedBytesOf(path, unmarked)).toEqual(bytes);
  });

  test("is lines in the older form, and is upgraded by a change", () => {
    const old = storedFileOf("/a.md", text.encode("one\ntwo"), undefined, "v1");
    expect(old.content).toEqual(["one", "two"]);
    expect(storedTextOf("/a.md", old)).toBe("one\ntwo");
    const changed = storedFileWith("/a.md", old, "three", timeAfter(old), "v2");
    expect(changed).toMatchObject({ content: "three", mimeType: "text/markdown" });
    expect(changed.created_at).toBe(old.created_at);
    expect(String(changed.modified_at) > String(old.modified_at)).toBe(true);
    expect(storedVersionOf(changed)).not.toBe(storedVersionOf(old));
  });

  test.each([
    [Uint8Array.of(1, 2)],
    [JSON.parse(JSON.stringify(Buffer.of(1, 2))) as unknown],
    [JSON.parse(JSON.stringify(Uint8Array.of(1, 2))) as unknown],
  ])("is understood when others left its bytes as %j", (content) => {
    expect(storedBytesOf("/a.png", { content })).toEqual(Uint8Array.of(1, 2));
    expect(storedSizeOf("/a.png", { content })).toBe(2);
  });

  test("is text where base64 would be a coincidence", () => {
    const file = { content: "abcd", mimeType: "text/plain" };
    expect(storedTextOf("/a.txt", file)).toBe("abcd");
    expect(storedTextOf("/a.js", { ...file, mimeType: "application/javascript" })).toBe("abcd");
  });
});
