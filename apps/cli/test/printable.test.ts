import { expect, it } from "vitest";
import { printable, printableText } from "../src/printable.js";

it("escapes what moves the cursor, hides, or turns the direction of a name", () => {
  expect(printable("/a\u001b[2J\n\t\u202e\u200b\ufeff\u0085é漢😀")).toBe(
    "/a\\u{1b}[2J\\n\\t\\u{202e}\\u{200b}\\u{feff}\\u{85}é漢😀",
  );
  expect(printable("\ud800")).toBe("\\u{d800}");
  expect(printableText("a\n\tb\u001b]0;x\u0007")).toBe("a\n\tb\\u{1b}]0;x\\u{7}");
});
