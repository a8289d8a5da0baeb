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
    const lines = rendered(matches, mode, (text) => placeOf(pattern, text, args.ignore_case));
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
        ...(settings.structuredText ? { found: foundIn(matches, list.shown, pattern, args) } : {}),
      },
    };
  },
};

type PlaceOf = (text: string) => number;

/** As many matches as lines are shown: a program gets no longer an answer than a model does. */
function foundIn(
  matches: readonly GrepMatch[],
  shown: number,
  pattern: string,
  { ignore_case }: { readonly ignore_case: boolean },
): readonly GrepMatch[] {
  return matches.slice(0, shown).map(({ path, line, text }) => ({
    path,
    line,
    text: clipLine(text, placeOf(pattern, text, ignore_case)),
  }));
}

function rendered(matches: readonly GrepMatch[], mode: Mode, placeIn: PlaceOf): string[] {
  const counts = new Map<string, number>();
  if (mode === "content") return contentLines(matches, placeIn);
  for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  return mode === "count"
    ? [...counts].map(([path, count]) => `${path}: ${count}`)
    : [...counts.keys()];
}

/** A heading for each file, then its lines: `12:` a match, `13-` a line around one, each line once. */
function contentLines(matches: readonly GrepMatch[], placeIn: PlaceOf): string[] {
  const lines: string[] = [];
  let file: string | undefined;
  let shownUpTo = 0;
  for (const [index, match] of matches.entries()) {
    if (match.path !== file) {
      file = match.path;
      shownUpTo = 0;
      lines.push(file);
    }
    const before = match.before ?? [];
    const after = match.after ?? [];
    const from = match.line - before.length;
    if (shownUpTo > 0 && from > shownUpTo + 1 && before.length + after.length > 0) lines.push("--");
    for (const [at, text] of before.entries()) {
      if (from + at > shownUpTo) lines.push(`${from + at}-${clipLine(text)}`);
    }
    lines.push(`${match.line}:${clipLine(match.text, placeIn(match.text))}`);
    shownUpTo = match.line;
    const next = matches[index + 1];
    const nextLine = next?.path === file ? next.line : Infinity;
    for (const [at, text] of after.entries()) {
      const number = match.line + 1 + at;
      if (number >= nextLine) break;
      lines.push(`${number}-${clipLine(text)}`);
      shownUpTo = number;
    }
  }
  return lines;
}

const REGEX_LIKE = /\\[dwsbDWSB.()[\]]|\.[*+]|\[[^\]]+\]|\w\|\w|^\^|\w\$$|\(\?[:=!<]/;

function regexHint(pattern: string): string {
  return REGEX_LIKE.test(pattern)
    ? " The pattern is searched as literal text, not as a regular expression; search for one plain word or phrase at a time."
    : "";
}
