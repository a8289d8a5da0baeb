import { escaped } from "./markup.js";

const LINE = 19;
const CHARACTER = 8.03;
const MARGIN = 24;
const TOP = 52;

/** What was printed, as a picture of a terminal: no script, no font of its own, legible on light and dark. */
export function terminalPicture(title: string, lines: readonly string[]): string {
  const longest = Math.max(...lines.map((line) => line.length), title.length);
  const width = Math.ceil(longest * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + TOP + MARGIN;
  const rows = lines.map(
    (line, index) =>
      `<text x="${MARGIN}" y="${TOP + (index + 1) * LINE - 5}" fill="${colorOf(line)}">${spaced(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" rx="10" fill="#161b1d"/>
<circle cx="24" cy="22" r="5.5" fill="#3a4246"/><circle cx="42" cy="22" r="5.5" fill="#3a4246"/><circle cx="60" cy="22" r="5.5" fill="#3a4246"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13.3">
<text x="84" y="27" fill="#8a948f">${escaped(title)}</text>
${rows.join("\n")}
</g>
</svg>
`;
}

/** Viewers of SVG fold spaces; those of no break stay. */
function spaced(line: string): string {
  return escaped(line).replace(/ {2,}/g, (spaces) => "\u00a0".repeat(spaces.length));
}

/** The lines that say most, so that a picture of a long run fits a screen: the agent's first steps are cut. */
export function picturedLines(lines: readonly string[]): string[] {
  const steps = lines.flatMap((line, index) => (line.startsWith("agent ") ? [index] : []));
  const [first, second] = steps;
  const resumed = steps.at(-5);
  if (first === undefined || second === undefined || resumed === undefined || resumed <= second)
    return [...lines];
  return [...lines.slice(0, second), "  …", "", ...lines.slice(resumed)];
}

function colorOf(line: string): string {
  if (line.startsWith("  ✗")) return "#f2a49a";
  if (line.startsWith("  ✓")) return "#7fd8c4";
  if (line.startsWith("agent ")) return "#f0f3f1";
  return line.startsWith("  ") ? "#b4beb9" : "#f0f3f1";
}
