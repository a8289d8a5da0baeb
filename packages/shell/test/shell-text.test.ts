import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shellText } from "../src/sandbox/shell-text.js";

describe("shellText", () => {
  test("holds nothing that a shell reads as more than itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const [, format = ""] = /^"\$\(printf -- '(.*)'\)"$/s.exec(shellText(text)) ?? [];
        expect(format).toMatch(/^(?:[A-Za-z0-9_/.,:@+-]|\\[0-7]{3})*$/);
      }),
    );
  });

  test.each(["sh", "busybox sh"])("comes out of %s as it went in", (shell) => {
    const [file = "", ...args] = shell.split(" ");
    const texts = [
      `'"$(id)\`id\`\\n%s%d`,
      "-n -e",
      "a\nb",
      "*?[a]{b}~",
      "é😀",
      "--",
      " x ",
      "\\101",
    ];
    for (const text of texts) {
      const out = execFileSync(file, [...args, "-c", `x=${shellText(text)}\nprintf %s "$x"`], {
        encoding: "utf8",
      });
      expect(out).toBe(text);
    }
  });
});
