import { comparePaths, isWithin, pathsBelow } from "@fs/protocol/author";
import fc from "fast-check";
import { expect, test } from "vitest";

// Names on both sides of the slash in the order of code units.
const segment = fc.constantFrom("a", "a-", "a.b", "a0", "b", "~");
const path = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => `/${segments.join("/")}`);

test("are those of a filter, whatever stands beside the directory", () => {
  fc.assert(
    fc.property(fc.uniqueArray(path), path, (paths, directory) => {
      const sorted = paths.toSorted(comparePaths);
      const below = sorted.filter((one) => one !== directory && isWithin(one, directory));
      expect(pathsBelow(sorted, directory)).toEqual(below);
      expect(pathsBelow(sorted, "/")).toEqual(sorted);
    }),
    { examples: [[["/a", "/a-", "/a/b", "/a0"], "/a"]] },
  );
});
