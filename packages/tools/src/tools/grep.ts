import type { GrepMatch } from "@fs/protocol";
import { z } from "zod";
import { refusal, textPart } from "../answer.js";
import type { ToolDefinition } from "../definition.js";
import { READS } from "../effects.js";
import { clipLine, placeOf } from "../output/clip-line.js";
import { cutList } from "../output/cut-list.js";
import { DIRECTORY_ALIASES, tolerantSchema } from "../schema.js";

const MODES = ["files_with_matches", "content", "count"] as const;
type Mode = (typeof MODES)[number];

const schema = tolerantSchema(
  {
    pattern: z.string().describe("Literal, not a regex"),
    path: z.string().default("/").describe("Absolute path"),
    glob: z.string().default("").describe("Only these files, such as '*.ts'"),
    output_mode: z.enum(MODES).default("files_with_matches"),
    context: z.number().default(0).describe("Lines around each match"),
    ignore_case: z.boolean().default(false),
    max_count: z.number().default(0).describe("Max matches; 0 = default"),
  },
  {
    ...DIRECTORY_ALIASES,
    query: "pattern",
    include: "glob",
    mode: "output_mode",
    head_limit: "max_count",
  },
);

/** `grep`: files, lines or counts of a literal text. */
export const grepTool: ToolDefinition<z.output<typeof schema>> = {
  name: "grep",
  description: "Search file contents for literal text.",
  schema,
  outputSchema: z.object({
    matches: z.number(),
    truncated: z.boolean(),
    found: z.array(z.unknown()).optional(),
  }),
  effects: READS,
  subject: ({ path }) => path,
  async run(args, { backend, options, settings }) {
    const { pattern, path, context } = args;
    const mode: Mode = args.output_mode;
    const cap = args.max_count > 0 ? args.max_count : settings.grepMaxCount;
    const around = mode === "content" ? context : 0;
    const found = await backend.grep(
      pattern,
      path,
      args.glob === "" ? null : args.glob,
      Number.isFinite(cap) ? cap : null,
      {
        ...options,
        ...(args.ignore_case ? { ignoreCase: true } : {}),
        ...(around === 0 ? {} : { before: around, after: around }),
      },
    );
    const { matches, truncated, warnings, ...failed } = found;
    if (matches === undefined || found.error !== undefined) return refusal(failed, path);
    const rows = rowsOf(matches, mode, (text) => placeOf(pattern, text, args.ignore_case));
    const lines = rows.map(({ text }) => text);
    const list = cutList(lines, { tokens: settings.answerTokens, count: settings.countTokens });
    const notes = [
      ...(matches.length === 0 ? [`No matches in ${path}.${regexHint(pattern)}`] : []),
      ...(list.shown < lines.length
        ? [`[${list.shown} of ${lines.length} lines shown; narrow the search with path or glob]`]
        : []),
      ...(truncated === true
        ? [`[more than ${matches.length} matches; narrow the search, or raise max_count]`]
        : []),
      ...(warnings ?? []),
    ];
    return {
      content: textPart([...(list.text === "" ? [] : [list.text]), ...notes].join("\n")),
      structured: {
        path,
        matches: matches.length,
        truncated: truncated === true,
        // A program gets no longer an answer than a model does.
        ...(settings.structuredText
          ? { found: rows.slice(0, list.shown).flatMap((row) => row.found ?? []) }
          : {}),
      },
    };
  },
};

type PlaceOf = (text: string) => number;

/** A line for the model, and what it stands for. */
interface Row {
  readonly text: string;
  /** A file, a file with its number of matches, or a match; none of what only leads to one. */
  readonly found?: object;
}

function rowsOf(matches: readonly GrepMatch[], mode: Mode, placeIn: PlaceOf): Row[] {
  if (mode === "content") return contentRows(matches, placeIn);
  const counts = new Map<string, number>();
  for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].map(([path, count]) =>
    mode === "count"
      ? { text: `${path}: ${count}`, found: { path, count } }
      : { text: path, found: { path } },
  );
}

/** A heading for each file, then its lines: `12:` a match, `13-` a line around one, each line once. */
function contentRows(matches: readonly GrepMatch[], placeIn: PlaceOf): Row[] {
  const rows: Row[] = [];
  let file: string | undefined;
  let shownUpTo = 0;
  for (const [index, { path, line, text, before = [], after = [] }] of matches.entries()) {
    if (path !== file) {
      file = path;
      shownUpTo = 0;
      rows.push({ text: file });
    }
    const from = line - before.length;
    if (shownUpTo > 0 && from > shownUpTo + 1 && before.length + after.length > 0)
      rows.push({ text: "--" });
    for (const [at, around] of before.entries()) {
      if (from + at > shownUpTo) rows.push({ text: `${from + at}-${clipLine(around)}` });
    }
    const clipped = clipLine(text, placeIn(text));
    rows.push({ text: `${line}:${clipped}`, found: { path, line, text: clipped } });
    shownUpTo = line;
    const next = matches[index + 1];
    const nextLine = next?.path === file ? next.line : Infinity;
    for (const [at, around] of after.entries()) {
      const number = line + 1 + at;
      if (number >= nextLine) break;
      rows.push({ text: `${number}-${clipLine(around)}` });
      shownUpTo = number;
    }
  }
  return rows;
}

const REGEX_LIKE = /\\[dwsbDWSB.()[\]]|\.[*+]|\[[^\]]+\]|\w\|\w|^\^|\w\$$|\(\?[:=!<]/;

function regexHint(pattern: string): string {
  return REGEX_LIKE.test(pattern)
    ? " The pattern is searched as literal text, not as a regular expression; search for one plain word or phrase at a time."
    : "";
}
