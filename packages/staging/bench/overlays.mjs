// Writes docs/benchmarks/staging.md: node packages/staging/bench/overlays.mjs [MB of the large tree]
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countedCosts } from "./overlays/counted-costs.mjs";
import { SIDES } from "./overlays/sides.mjs";

const MB = 1024 * 1024;
const size = Number(process.argv[2] ?? 1024);
const script = fileURLToPath(new URL("overlays/one-side.mjs", import.meta.url));
/** The sides that copy the tree into a storage of their own. */
const COPIES = /^AgentFS/;
const page = new URL("../../../docs/benchmarks/staging.md", import.meta.url);

const folder = mkdtempSync(join(tmpdir(), "overlays-"));
try {
  const large = join(folder, "large");
  mkdirSync(large);
  const line = `${"x".repeat(127)}\n`;
  for (let n = 0; n < size; n++) {
    const head = `first line of file ${n}\n`;
    writeFileSync(join(large, `f${n}.txt`), (head + line.repeat(MB / 128)).slice(0, MB));
  }
  // A side that copies the tree gets the ten files alone: the whole of it would take hours on a busy machine.
  const ten = join(folder, "ten");
  mkdirSync(ten);
  for (let n = 0; n < 10; n++) copyFileSync(join(large, `f${n}.txt`), join(ten, `f${n}.txt`));
  const names = Object.keys(SIDES);
  const abilities = names.map((name, index) => {
    const root = join(folder, `small ${index}`, "base");
    mkdirSync(join(root, "dir"), { recursive: true });
    writeFileSync(join(root, "a.txt"), "one\n");
    writeFileSync(join(root, "dir", "only.txt"), "1\n");
    writeFileSync(join(root, "log.txt"), "<end>\n");
    return tried({ name, root, kept: keptFor(`small ${index}`), task: "abilities" });
  });
  const held = names.map((name, index) =>
    tried({
      name,
      root: COPIES.test(name) ? ten : large,
      kept: keptFor(`large ${index}`),
      task: "held",
    }),
  );
  writeFileSync(page, text(names, abilities, held, await countedCosts()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function keptFor(name) {
  const kept = join(folder, name, "kept");
  mkdirSync(kept, { recursive: true });
  return kept;
}

function tried(task) {
  console.error(task.task, task.name);
  const args = ["--expose-gc", script, JSON.stringify(task)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

function text(names, abilities, held, costs) {
  const short = names.map((name) => name.replace(/ \d.*/, ""));
  const shown = (value) => (value === true ? "yes" : value === false ? "no" : String(value));
  const rows = Object.keys(abilities[0]).map((what) => [
    what,
    ...abilities.map((can) => shown(can[what])),
  ]);
  const mb = (bytes) => `${(bytes / MB).toFixed(1)} MB`;
  return `# Benchmarks of @fs/staging and @fs/journal

Run them with

\`\`\`sh
node tools/bootstrap/pnpm.mjs exec tsc -b packages/staging packages/journal packages/disk
node packages/staging/bench/overlays.mjs
\`\`\`

which writes this page. Node.js ${process.versions.node}, ${names.slice(2).join(", ")}.

## Costs

Counted at the layers, and checked by tests (\`packages/staging/test/costs.test.ts\`, \`packages/journal/test/costs.test.ts\`): no time is involved.

${table(["what", "calls"], costs)}

## Beside others

Each thing was tried in this run, in a folder on disk; what a side has no call for is "no". The AgentFS SDK has no overlay: the tree is copied into its
database first, and its command line's overlay is not part of the SDK.

${table(["", ...short], rows)}

## Ten edits of a tree of ${(size / 1024).toFixed(size % 1024 === 0 ? 0 : 2)} GB

${size.toLocaleString("en")} text files of 1 MB on disk, ten of which get one edit each. Memory is what JavaScript and its buffers hold after a collection,
beyond what the process held before; kept beside the base is what is on disk for it.

${table(
  ["side", "memory", "kept beside the base"],
  names.map((name, index) => [
    COPIES.test(name) ? `${name}, the ten files alone` : name,
    mb(held[index].memory),
    mb(held[index].stored),
  ]),
)}

\`OverlayFs\` keeps the ten new contents; \`StagingBackend\` also those that they replace, for patches and three-way merges, and with a lasting
upper layer neither stays in memory. AgentFS was given the ten files alone, since all of the tree would first have to be copied into its database;
what its database engine holds outside JavaScript is not counted.
`;
}

/** A table as the formatter leaves it. */
function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}
