import { canonicalFilePath } from "@fs/protocol/author";
import { KeySpace } from "../src/keys.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

function isName(text: string): boolean {
  const canonical = canonicalFilePath(`/${text}`);
  return canonical.failure === undefined && canonical.path === `/${text}`;
}

describe("KeySpace", () => {
  test("joins prefix and path byte for byte, and finds the way back", () => {
    const segment = fc.string({ unit: "binary", minLength: 1, maxLength: 20 }).filter(isName);
    const path = fc
      .array(segment, { minLength: 1, maxLength: 5 })
      .map((names) => `/${names.join("/")}`);
    const prefix = fc.constantFrom("", "a", "a/", "agents/7", "ü/😀");
    fc.assert(
      fc.property(prefix, path, (before, after) => {
        const keys = new KeySpace(before);
        fc.pre(Buffer.byteLength(keys.prefix + after) <= 1024);
        const key = keys.keyOf(after);
        expect(key).toBe(`${keys.prefix}${after.slice(1)}`);
        expect(keys.pathOf(key)).toBe(after);
      }),
    );
  });

  test("a prefix ends in a slash, so that a neighbour's name is no part of it", () => {
    expect(new KeySpace("tenants/1").below("/")).toBe("tenants/1/");
    expect(new KeySpace("tenants/1/").below("/a")).toBe("tenants/1/a/");
    expect(new KeySpace().below("/")).toBe("");
  });

  test.each(["/", "/a", "a//b", "../a", "a/..", "a/./b", "a\nb", "\ud800"])(
    "refuses the prefix %j",
    (prefix) => {
      expect(() => new KeySpace(prefix)).toThrow(TypeError);
    },
  );

  test.each([
    "a/",
    "a//b",
    "a/../b",
    "./a",
    "a/.",
    "",
    "~",
    "a\u0000",
    ".fs-probe-0b7a8d5e-2d6c-4f7e-9a51-3c1f2b4d5e6f",
  ])("no path spells the key %j", (name) => {
    expect(new KeySpace("p").pathOf(`p/${name}`)).toBeUndefined();
  });

  test("a key may have 1,024 bytes of UTF-8", () => {
    const keys = new KeySpace("p");
    const fits = `/${"ab/".repeat(341)}`.slice(0, 1023);
    expect(keys.keyOf(fits)).toHaveLength(1024);
    expect(() => keys.keyOf(`${fits}x`)).toThrow(expect.objectContaining({ code: "invalid_path" }));
    expect(() => keys.keyOf(`/${"ü".repeat(512)}`)).toThrow(
      expect.objectContaining({ code: "invalid_path" }),
    );
  });
});
