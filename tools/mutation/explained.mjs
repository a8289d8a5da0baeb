// Faults that nothing notices, and why that is right: `package` (else the protocol), `module`, a part of the line as it is `shown`, and what is changed
// where the line has several.
export const explanations = [
  {
    module: "text/edit.js",
    shown: "found.push({ start: at, end: at + old.length })",
    why: "only the starts are used, for the numbers of the lines",
  },
  {
    module: "glob/brace-expansion.js",
    shown: "let start = -1",
    why: "it is set before it is read",
  },
  {
    module: "glob/brace-expansion.js",
    shown: "at < pattern.length",
    why: "behind the end there is no character, which is none that is looked for",
  },
  {
    module: "glob/path-glob.js",
    shown: "const depth = Math.max",
    why: "a hint to storages: a greater depth lists more than is needed, and finds the same",
  },
  {
    module: "glob/path-glob.js",
    shown: 'last === GLOBSTAR || last.loose === "*"',
    why: "a hint to storages: names that rule nothing out list more than is needed, and find the same",
  },
  {
    module: "glob/path-glob.js",
    shown: "return false",
    what: "false is true",
    why: "a hint to storages: a directory that is visited in vain holds nothing that matches",
  },
  {
    module: "text/page.js",
    shown: "lines > 0 ? { startLine",
    why: "no page with an offset past the end comes here; of a page of one line the numbers may be left out",
  },
  {
    module: "glob/segment.js",
    shown: "codePointAt(0) ?? 0",
    what: "0 is one more",
    why: "a name is matched by its characters, and each of them has a code point",
  },
  {
    module: "relocation/leg-batches.js",
    shown: "(batch.length > 0 && bytes",
    what: "'>' is '>='",
    why: "a batch without files is a round without a call",
  },
  {
    module: "relocation/leg-batches.js",
    shown: "if (batch.length > 0)",
    why: "a batch without files is a round without a call",
  },
  {
    module: "relocation/remove-sources.js",
    shown: "if (arrivals.length === 0)",
    what: "never holds",
    why: "of no files nothing is read, and nothing is stored again",
  },
  {
    module: "backend/hits-by-file.js",
    shown: "if (sorted.length === limit)",
    what: "never holds",
    why: "the answer is cut at the limit above; leaving earlier spares work",
  },
  {
    module: "backend/visit-entries.js",
    shown: "await pause;",
    why: "the pause lets other work of the process go on; a listing without it is the same",
  },
  {
    module: "backend/describe-path.js",
    shown: "if (!directory && version !== undefined)",
    what: "always holds",
    why: "a field that is undefined is no field to whoever reads it, and directories have no version",
  },
  {
    module: "call/grep-visible.js",
    shown: "const GROWTH = 4;",
    why: "how much more is asked for changes the number of calls, and no answer",
  },
  {
    module: "text/classify.js",
    shown: "decoder.decode(bytes);",
    why: "only hosts without node:buffer decode here; the suite runs in Chromium, not under this tool",
  },
  {
    module: "text/line-pattern.js",
    shown: "ERR_MODULE_NOT_FOUND",
    why: "only an installation without the optional engine gets here, and that of the tests has it",
  },
  {
    module: "author/remove-file.js",
    shown: "version === undefined ? {}",
    what: "never holds",
    why: "a condition that is undefined is no condition to any backend",
  },
];
