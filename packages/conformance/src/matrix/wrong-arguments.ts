import type { Row } from "./row.js";

/** Wrong arguments beside the path, for the methods that take any. */
export function wrongArguments(row: Row, path: string): Array<[what: string, args: unknown[]]> {
  switch (row.method) {
    case "read":
      return [
        ["an offset that is text", [path, "1"]],
        ["an offset that is not whole", [path, 0.5]],
        ["a negative offset", [path, -1]],
        ["a limit that is text", [path, 0, "2"]],
        ["a limit without end", [path, 0, Infinity]],
        ["a negative limit", [path, 0, -1]],
        ["a limit that is no number", [path, 0, Number.NaN]],
        ["an offset without end", [path, Infinity]],
        ["an offset that is true", [path, true]],
      ];
    case "write":
      return [
        ["content that is a number", [path, 42]],
        ["content that is null", [path, null]],
        ["no content", [path]],
        ["content that is an object", [path, {}]],
        ["half of a character", [path, "a\ud800"]],
        ["the other half of a character", [path, "\udc00 and more"]],
        ["bytes", [path, Uint8Array.of(97)]],
      ];
    case "edit":
      return [
        ["an old text that is a number", [path, 1, "x"]],
        ["an old text that is a regular expression", [path, /one/, "x"]],
        ["a new text that is null", [path, "one", null]],
        ["no new text", [path, "one"]],
        ["a new text that is a function", [path, "one", () => "x"]],
        ["half of a character", [path, "one", "\ud800"]],
        ["half of a character to look for", [path, "\udc00", "x"]],
        ["'all' as a number", [path, "one", "x", 1]],
        ["'all' as a text", [path, "one", "x", "false"]],
      ];
    case "multiEdit":
      return [
        ["no edits", [path]],
        ["edits that are null", [path, null]],
        ["edits that are an object", [path, { old: "one", new: "x" }]],
        ["an empty list", [path, []]],
        ["an edit that is null", [path, [null]]],
        ["an edit without 'new'", [path, [{ old: "one" }]]],
        ["an edit without 'old'", [path, [{ new: "one" }]]],
        [
          "an edit whose 'replaceAll' is a text",
          [path, [{ old: "one", new: "x", replaceAll: "no" }]],
        ],
        ["half of a character", [path, [{ old: "one", new: "a\ud800" }]]],
        [
          "a second edit that is wrong",
          [
            path,
            [
              { old: "one", new: "x" },
              { old: 2, new: "y" },
            ],
          ],
        ],
      ];
    case "glob":
      return [
        ["a pattern that is a number", [42, path]],
        ["a pattern that is null", [null, path]],
        ["a pattern that leads up", ["a/..", path]],
        ["a pattern that leads up in one of its alternatives", ["{a,..}/b", path]],
        ["a pattern that ends in a slash", ["a/", path]],
        ["a bracket that is not closed", ["a[b", path]],
        ["a limit that is not whole", ["*", path, { limit: 1.5 }]],
      ];
    case "grep":
      return [
        ["a pattern that is a number", [42, path]],
        ["a pattern that is null", [null, path]],
        ["a pattern that is a regular expression", [/one/, path]],
        ["a filter that is a number", ["one", path, 42]],
        ["a cap that is text", ["one", path, null, "5"]],
        ["a negative cap", ["one", path, null, -1]],
        ["a cap that is not whole", ["one", path, null, 1.5]],
        ["a cap that is no number", ["one", path, null, Number.NaN]],
        ["an empty pattern", ["", path]],
        ["a pattern with a line end", ["one\ntwo", path]],
        ["a pattern that ends with a line end", ["one\n", path]],
        ["a pattern that is a carriage return", ["\r", path]],
        ["a filter that leads up", ["one", path, "a/.."]],
        ["a filter with a bracket that is not closed", ["one", path, "[a"]],
        ["a negative number of lines before", ["one", path, null, null, { before: -1 }]],
        ["a number of lines after that is not whole", ["one", path, null, null, { after: 0.5 }]],
        ["an empty expression", ["", path, null, null, { regex: true }]],
        ["an empty pattern in any case", ["", path, null, null, { ignoreCase: true }]],
        ["an expression with a line end", ["one\n", path, null, null, { regex: true }]],
        ["an expression that is not closed", ["(one", path, null, null, { regex: true }]],
        ["an expression that looks ahead", ["one(?=two)", path, null, null, { regex: true }]],
        [
          "an expression of 4,097 characters",
          ["a".repeat(4097), path, null, null, { regex: true }],
        ],
      ];
    case "uploadFiles":
      return [
        ["content that is text", [[[path, "text"]]]],
        ["content that is null", [[[path, null]]]],
        ["content that is a list", [[[path, [1, 2]]]]],
        ["no content", [[[path]]]],
      ];
    case "ls":
      return [["a negative limit", [path, { limit: -1 }]]];
    case "move":
    case "copy":
      return [
        ["'overwrite' as a number", [...row.args(path, undefined).slice(0, 2), { overwrite: 1 }]],
      ];
    default:
      return [];
  }
}
