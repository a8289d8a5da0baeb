import mime from "mime";
import other from "mime/types/other.js";
import standard from "mime/types/standard.js";
import { describe, expect, test } from "vitest";
import { mimeTypesText } from "../scripts/write-mime-types.mjs";
import { binaryTypeOf, isMediaPath, textTypeOf } from "../src/text/mime.js";
import { MIME_TYPES } from "../src/text/mime-types.js";

describe("the table of types", () => {
  test("is what scripts/write-mime-types.mjs makes of the package mime", () => {
    expect(MIME_TYPES).toBe(mimeTypesText());
  });

  const extensions = Object.values({ ...other, ...standard })
    .flat()
    .filter((extension) => !extension.startsWith("*"));
  // Names that are fixed here, whatever a library says.
  const FIXED = new Set(["txt", "html", "json", "svg", "rs"]);

  test("answers for every extension as the package does, as far as a type is answered at all", () => {
    expect(extensions.length).toBeGreaterThan(1000);
    for (const extension of extensions) {
      const path = `/file.${extension}`;
      if (FIXED.has(extension) || isMediaPath(path)) continue;
      const type = mime.getType(extension) ?? "";
      const text = textTypeOf(path);
      const binary = binaryTypeOf(path);
      // One of the two is the package's, never both; neither for media and for plain text.
      const unanswered = /^(?:image|audio|video|model)\/|^text\/plain$|^application\/octet-stream$/;
      const own = unanswered.test(type) ? [] : [type];
      const given = [text, binary].filter(
        (answer) => answer !== "text/plain" && answer !== "application/octet-stream",
      );
      expect([extension, ...given]).toEqual([extension, ...own]);
    }
  });

  test("knows nothing of names that objects have", () => {
    expect(textTypeOf("/a.constructor")).toBe("text/plain");
    expect(binaryTypeOf("/a.__proto__")).toBe("application/octet-stream");
  });
});
