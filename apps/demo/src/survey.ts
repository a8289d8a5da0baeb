import type { Answer, Step, WantedCall } from "./scripted-model.js";

/** Where the agent keeps its draft, in LangGraph state. */
export const NOTES = "/notes.md";
/** Where the report goes: a table of PostgreSQL. */
export const REPORT = "/reports/survey.md";
/** Where the agent would like a copy, and may not put one. */
export const REFUSED = "/workspace/SURVEY.md";

const DRAFT = [
  "# Survey",
  "",
  "Files: (pending)",
  "Reading: (pending)",
  "Open work: (pending)",
  "",
].join("\n");
const PAGE = 40;
const FILES = "*.{ts,tsx,js,mjs,py,go,rs,java,c,cpp,md}";
/** Directories that the agent looks into at most, and those that hold no work of the project's own. */
const MOST_DIRECTORIES = 6;
const HIDDEN = /^\./;

/** The steps of the offline run: explore, take notes, fill them in by three parallel edits, report. */
export const surveySteps: readonly Step[] = [
  () => ({
    say: "I will look at what is mounted, and at the top of the workspace.",
    calls: [
      { name: "ls", args: { path: "/" } },
      { name: "ls", args: { path: "/workspace" } },
    ],
  }),
  (answers) => {
    const directories = worthSearching(answers);
    return {
      say: `I will find the sources and documents, here and in ${counted(directories.length, "directory", "directories")}.`,
      calls: [
        { name: "glob", args: { pattern: FILES, path: "/workspace" } },
        ...directories.map((path) => ({ name: "glob", args: { pattern: `**/${FILES}`, path } })),
      ],
    };
  },
  (answers) => ({
    say: `I found ${counted(filesFound(answers).length, "such file", "such files")}. I will read the main document and search for open work.`,
    calls: [
      ...readMainDocument(answers, 0),
      ...worthSearching(answers).map((path) => ({
        name: "grep",
        args: { pattern: "TODO", path, glob: FILES, output_mode: "files_with_matches" },
      })),
    ],
  }),
  (answers) => {
    const next = continuation(answers);
    const more = next === undefined ? [] : readMainDocument(answers, next);
    return {
      say:
        next === undefined
          ? "That was all of it. I will draft my notes."
          : `It goes on at line ${next + 1}. I will read on, and draft my notes.`,
      calls: [...more, { name: "write_file", args: { file_path: NOTES, content: DRAFT } }],
    };
  },
  (answers) => ({
    say: "I know enough to fill in the three open lines, all at once.",
    calls: [
      edit("Files: (pending)", `Files: ${extensionSummary(filesFound(answers))}`),
      edit("Reading: (pending)", `Reading: ${reading(answers)}`),
      edit("Open work: (pending)", `Open work: ${openWork(answers)}`),
    ],
  }),
  () => ({
    say: "Let me check the notes.",
    calls: [{ name: "read_file", args: { file_path: NOTES } }],
  }),
  (answers) => ({
    say: "All three edits are in. I will file the report, and leave a copy in the workspace.",
    calls: [REPORT, REFUSED].map((file_path) => ({
      name: "write_file",
      args: { file_path, content: unnumbered(last(answers, "read_file")?.text ?? "") },
    })),
  }),
  (answers) => ({
    say: answers.some(({ args, failed }) => args["file_path"] === REPORT && !failed)
      ? `The report is at ${REPORT}. The workspace is not mine to change.`
      : "The report could not be written.",
  }),
];

function edit(old_string: string, new_string: string): WantedCall {
  return { name: "edit_file", args: { file_path: NOTES, old_string, new_string } };
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function last(answers: readonly Answer[], tool: string): Answer | undefined {
  return answers.findLast((answer) => answer.tool === tool);
}

function pathsIn(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("/"));
}

/** The directories of the project's own, or the workspace itself where it has none. */
function worthSearching(answers: readonly Answer[]): string[] {
  const listings = answers.filter(
    ({ tool, args }) => tool === "ls" && args["path"] === "/workspace",
  );
  const entries = listings.flatMap(({ text }) => pathsIn(text));
  const names = entries.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
  const own = names.filter((path) => !HIDDEN.test(path.slice(path.lastIndexOf("/") + 1)));
  return own.length === 0 ? ["/workspace"] : own.slice(0, MOST_DIRECTORIES);
}

function filesFound(answers: readonly Answer[]): string[] {
  const found = answers
    .filter(({ tool, failed }) => tool === "glob" && !failed)
    .flatMap(({ text }) => pathsIn(text));
  return [...new Set(found)];
}

/** The README nearest to the root, else any document, else any file. */
function mainDocument(answers: readonly Answer[]): string | undefined {
  const nearest = filesFound(answers).toSorted((a, b) => a.split("/").length - b.split("/").length);
  const named = (pattern: RegExp): string | undefined => nearest.find((path) => pattern.test(path));
  return named(/\/README\.md$/i) ?? named(/\.md$/) ?? nearest[0];
}

function readMainDocument(answers: readonly Answer[], offset: number): WantedCall[] {
  const file_path = mainDocument(answers);
  return file_path === undefined
    ? []
    : [{ name: "read_file", args: { file_path, offset, limit: PAGE } }];
}

function reading(answers: readonly Answer[]): string {
  const document = mainDocument(answers);
  if (document === undefined) return "there is no document";
  return `${document}, ${counted(linesRead(answers), "line", "lines")} read, titled "${titleRead(answers)}"`;
}

function continuation(answers: readonly Answer[]): number | undefined {
  const match = /continue at offset (\d+)/.exec(last(answers, "read_file")?.text ?? "");
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

function documentRows(answers: readonly Answer[]): string[] {
  const pages = answers.filter(
    ({ tool, args, failed }) =>
      tool === "read_file" && args["file_path"] === mainDocument(answers) && !failed,
  );
  return pages.flatMap(({ text }) => text.split("\n").filter((row) => /^\s*\d+→/.test(row)));
}

function linesRead(answers: readonly Answer[]): number {
  return documentRows(answers).length;
}

function titleRead(answers: readonly Answer[]): string {
  const lines = documentRows(answers).map((row) => row.replace(/^\s*\d+→/, ""));
  const title =
    lines.find((line) => line.startsWith("# ")) ??
    lines.find((line) => line.trim() !== "") ??
    "nothing";
  return title.replace(/^# /, "").slice(0, 80);
}

function extensionSummary(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const extension = path.slice(path.lastIndexOf("."));
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const parts = [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([extension, count]) => `${count} ${extension}`);
  return parts.length === 0 ? "none" : parts.join(", ");
}

function openWork(answers: readonly Answer[]): string {
  const searches = answers.filter(({ tool, failed }) => tool === "grep" && !failed);
  const files = searches.flatMap(({ text }) => pathsIn(text));
  const [first] = files;
  return first === undefined
    ? "no file says TODO"
    : `${counted(files.length, "file says", "files say")} TODO, the first being ${first}`;
}

/** The text of a page without its line numbers. */
export function unnumbered(page: string): string {
  const rows = page.split("\n").filter((row) => /^\s*\d+→/.test(row));
  return rows.map((row) => `${row.replace(/^\s*\d+→/, "")}\n`).join("");
}
