import fc from "fast-check";
import { expect, test } from "vitest";
import { CapturedOutput } from "../src/command/captured-output.js";

test("short output comes whole, however it was chunked", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 50 }),
      fc.integer({ min: 1, max: 7 }),
      (text, size) => {
        const bytes = Buffer.from(text);
        const output = new CapturedOutput(1000);
        for (let at = 0; at < bytes.length; at += size) output.add(bytes.subarray(at, at + size));
        expect(output.text()).toBe(text);
        expect(output.truncated).toBe(false);
      },
    ),
  );
});

test("long output keeps head and tail, and splits no character", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 }), (limit, size) => {
      const text = "é😀a".repeat(60);
      const bytes = Buffer.from(text);
      const output = new CapturedOutput(limit);
      for (let at = 0; at < bytes.length; at += size) output.add(bytes.subarray(at, at + size));
      const shown = output.text();
      expect(output.truncated).toBe(true);
      expect(shown).not.toContain("\ufffd");
      const [head = "", tail = ""] = shown.split(/\n\[… \d+ bytes cut …\]\n/);
      expect(text.startsWith(head)).toBe(true);
      expect(text.endsWith(tail)).toBe(true);
      const cut = Number(/… (\d+) bytes/.exec(shown)?.[1]);
      expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + cut).toBe(bytes.length);
    }),
  );
});

test("bytes that are no text do not stop the rest", () => {
  const output = new CapturedOutput(100);
  output.add(Buffer.from([0xff, 0x61, 0xc3]));
  expect(output.text()).toBe("\ufffda\ufffd");
});
