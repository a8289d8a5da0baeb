/** Columns of a line's number. */
const GUTTER = 6;

/** A file as the model sees it: every line behind its number and a tab. */
export function numberedText(path: string, text: string, range?: readonly number[]): string {
  const lines = text.split("\n");
  const [first = 1, last = -1] = range ?? [];
  const start = Math.max(1, first) - 1;
  const shown = lines.slice(start, last === -1 ? lines.length : last);
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, start + 1)}`;
}

/** The lines around a change. @param line 1-based. */
export function snippetText(text: string, line: number): string {
  const lines = text.split("\n");
  const start = Math.max(0, line - 3);
  return numbered(lines.slice(start, line + 2), start + 1);
}

function numbered(lines: readonly string[], first: number): string {
  return lines
    .map((line, index) => `${String(first + index).padStart(GUTTER)}\t${line}`)
    .join("\n");
}

/** A directory as the model sees it, two levels deep. The size of a directory is that of all files below it. */
export function listingText(
  path: string,
  files: ReadonlyArray<{ readonly path: string; readonly size: number }>,
): string {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const file of files) {
    const segments = file.path.split("/");
    if (segments.some((name) => name.startsWith(".") || name === "node_modules")) continue;
    total += file.size;
    for (let depth = 1; depth <= Math.min(2, segments.length); depth++) {
      const shown = segments.slice(0, depth).join("/") + (depth < segments.length ? "/" : "");
      sizes.set(shown, (sizes.get(shown) ?? 0) + file.size);
    }
  }
  const directory = path.replace(/\/+$/, "");
  const lines = [...sizes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, size]) => `${sizeText(size)}\t${directory}/${name}`);
  const header = `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`;
  return [header, `${sizeText(total)}\t${path}`, ...lines].join("\n");
}

function sizeText(bytes: number): string {
  if (bytes === 0) return "0B";
  const units = ["B", "K", "M", "G"];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const size = bytes / 1024 ** power;
  return (Number.isInteger(size) ? String(size) : size.toFixed(1)) + units[power];
}
