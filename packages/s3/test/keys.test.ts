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
    "/.fs-probe-0b7a8d5e-2d6c-4f7e-9a51-3c1f2b4d5e6f",
  ])("no path spells the key %j", (name) => {
    expect(new KeySpace("p").pathOf(`p/${name}`)).toBeUndefined();
  });

  test("the key of a probe is below the prefix, and no path has it", () => {
    for (const keys of [new KeySpace("p"), new KeySpace(), new KeySpace("p", "org")]) {
      const probe = keys.probe("1");
      expect(probe.startsWith(keys.prefix)).toBe(true);
      expect(keys.pathOf(probe)).toBeUndefined();
      expect(isName(probe.slice(keys.prefix.length))).toBe(false);
    }
  });

  test("namespaces are injective, and none is below another", () => {
    const component = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
      fc.constantFrom("a", "a,b", "a/b", "/", "..", ".", "a%2Cb", "org", "alice", "=2E"),
    );
    const namespace = fc.oneof(component, fc.array(component, { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(namespace, namespace, (one, other) => {
        const [a, b] = [one, other].map((name) => new KeySpace("p", name).prefix);
        const same = JSON.stringify([one].flat()) === JSON.stringify([other].flat());
        expect(a === b).toBe(same);
        if (!same) expect(a?.startsWith(b ?? "")).toBe(false);
        // One name below the prefix, which a path could spell: no tool stumbles over it.
        expect(isName(a?.slice(2, -1) ?? "")).toBe(true);
      }),
      { numRuns: 2000 },
    );
    expect(new KeySpace("p", "org").prefix).toBe("p/org/");
    expect(new KeySpace("p", ["org", "alice"]).prefix).toBe("p/org,alice/");
  });

  test.each([[[]], [""], [["a", ""]], ["\ud800"], [[1]], [null], [{}]])(
    "refuses the namespace %j",
    (namespace) => {
      expect(() => new KeySpace("p", namespace as never)).toThrow(TypeError);
    },
  );

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
