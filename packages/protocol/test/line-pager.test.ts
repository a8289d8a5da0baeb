import { LinePager, pageOfBytes, type LineRange } from "@fs/protocol/hooks";
import { describe, expect, test } from "vitest";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The page as one would write it without a thought for size. */
function naive(text: string, offset: number, limit: number): object {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const page = lines.slice(offset, offset + limit);
  return {
    text: page.join(""),
    lines: page.length,
    totalLines: lines.length,
    atEnd: offset + limit >= lines.length,
  };
}

function shown({ bytes, ...page }: { readonly bytes: Uint8Array }): object {
  return { text: decoder.decode(bytes), ...page };
}

function fed(text: string, range: LineRange, size: number, reused: boolean): LinePager {
  const pager = new LinePager(range);
  const bytes = encoder.encode(text);
  const memory = new Uint8Array(size);
  for (let at = 0; at < bytes.length && !pager.complete; at += size) {
    const piece = bytes.subarray(at, at + size);
    memory.set(piece);
    pager.feed(reused ? memory.subarray(0, piece.length) : piece, reused);
  }
  if (!pager.complete) pager.end();
  return pager;
}

const texts = ["", "\n", "a", "a\n", "a\nb", "\n\n\n", "one\ntwo\r\nthree\n\nfive", "é\n😀\n"];

describe("a page of lines", () => {
  test.each(texts)("of %j is what a naive reader finds", (text) => {
    for (let offset = 0; offset < 7; offset++)
      for (const limit of [0, 1, 2, 5, Infinity]) {
        const page = shown(pageOfBytes(encoder.encode(text), offset, limit));
        expect(page).toEqual(naive(text, offset, limit));
      }
  });

  test.each(texts)("of %j is the same from stretches of any size", (text) => {
    for (const size of [1, 2, 3, 100])
      for (let offset = 0; offset < 7; offset++)
        for (const limit of [0, 1, 2, Infinity]) {
          const { totalLines, ...page } = naive(text, offset, limit) as { totalLines: number };
          for (const reused of [false, true]) {
            const found = shown(fed(text, { offset, limit }, size, reused).result());
            expect(found).toMatchObject(page);
            // The rest of the file was not looked at, so that its lines may be unknown.
            if ("totalLines" in found) expect(found.totalLines).toBe(totalLines);
          }
        }
  });

  test.each<[string, (range: LineRange) => LineRange]>([
    ["begins a line late", ({ offset, limit }) => ({ offset: offset + 1, limit })],
    ["leaves out its last line", ({ offset, limit }) => ({ offset, limit: limit - 1 })],
    ["goes on beyond its end", ({ offset }) => ({ offset, limit: Infinity })],
  ])("that %s is not what a naive reader finds", (_, fault) => {
    const { offset, limit } = fault({ offset: 1, limit: 2 });
    const page = shown(pageOfBytes(encoder.encode("one\ntwo\nthree\nfour\n"), offset, limit));
    expect(page).not.toEqual(naive("one\ntwo\nthree\nfour\n", 1, 2));
  });

  test("with more bytes than allowed is too large", () => {
    const pager = new LinePager({ offset: 1, limit: 2, maxBytes: 3 });
    pager.feed(encoder.encode("passed over\nab\n"));
    expect(() => pager.feed(encoder.encode("c\n"))).toThrow("more than the 3 bytes");
  });

  test("whose end meets the end of a stretch is filled before it is complete", () => {
    const pager = new LinePager({ offset: 0, limit: 1 });
    pager.feed(encoder.encode("a\n"));
    expect([pager.filled, pager.complete]).toEqual([true, false]);
    pager.more();
    expect(shown(pager.result())).toEqual({ text: "a\n", lines: 1, atEnd: false });
  });
});

test("lines that passed unseen, or in memory that has changed since, are not counted", () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const passed = new LinePager({ offset: 0, limit: 1 });
  passed.feed(bytes("a\nb\n"));
  passed.feed(bytes("c\nd\n"));
  passed.end();
  expect(passed.result()).toMatchObject({ lines: 1, atEnd: false });
  expect(passed.result().totalLines).toBeUndefined();
  const reused = new LinePager({ offset: 0, limit: 1 });
  const memory = bytes("a\nb\n");
  reused.feed(memory, true);
  memory.fill(0x0a);
  reused.end();
  expect(new TextDecoder().decode(reused.result().bytes)).toBe("a\n");
  expect(reused.result().totalLines).toBeUndefined();
});
