// Puts the bridges beside the files that their frameworks bring themselves, each on a directory of the disk, in one run.
//
//   node tools/bridge-probes/bench/bridges.mjs > docs/benchmarks/bridges.md
//
// Needs a build (`tsc -b`). Counts only: what was answered as done, and what is there afterwards.
import fs from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { memoryHandlers } from "@fs/anthropic";
import { FilesystemBackend } from "@fs/disk";
import { backendBash } from "@fs/just-bash";
import { mastraFilesystem } from "@fs/mastra";
import { backendEditor } from "@fs/openai-agents";
import { interceptBackend } from "@fs/protocol";
import * as mastra from "@mastra/core/workspace";
import { applyDiff } from "@openai/agents";
import { Bash, OverlayFs } from "just-bash";

const base = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "fs-bridges-"));
const MANY = 20;
const LINES = Array.from({ length: MANY }, (_, index) => `[${index}]`);
const CHANGED = LINES.map((line) => `${line}!`);
let made = 0;

/** An empty directory, and the file in it that a probe is about. */
function place(...names) {
  const dir = join(base, String(++made));
  fs.mkdirSync(join(dir, ...names), { recursive: true });
  const file = join(dir, ...names, "f");
  return {
    dir,
    put: (bytes) => fs.writeFileSync(file, bytes),
    get: () => fs.readFileSync(file),
    backend: () => new FilesystemBackend({ rootDir: dir }),
  };
}

const settled = async (calls) =>
  (await Promise.allSettled(calls)).map((one) => one.status === "fulfilled" && one.value !== false);

/** How many changes were answered as done, and how many of those are there; or how many are there, where a shell answers nothing. */
function kept(done, text) {
  const present = CHANGED.map((line) => text.split("\n").includes(line));
  return { done: done.filter(Boolean).length, there: present.filter(Boolean).length };
}

// --- Claude's memory ---

const PATH = "/memories/f";
const PROBES = {
  [`${MANY} replacements at once`]: async (memory, at) => {
    at.put(LINES.join("\n"));
    const done = await settled(
      LINES.map(async (line) =>
        memory.str_replace({
          command: "str_replace",
          path: PATH,
          old_str: line,
          new_str: `${line}!`,
        }),
      ),
    );
    const { done: answered, there } = kept(done, at.get().toString());
    return {
      holds: there === answered && there === MANY,
      said: `${answered} answered as done, ${there} there`,
    };
  },
  "an `old_str` of two lines": async (memory, at) => {
    at.put("a\nb\nc\n");
    const [done] = await settled([
      memory.str_replace({ command: "str_replace", path: PATH, old_str: "a\nb", new_str: "x" }),
    ]);
    return { holds: at.get().toString() === "x\nc\n", said: done ? "replaced" : "not found" };
  },
  "two occurrences on one line": async (memory, at) => {
    at.put("aa-aa\n");
    const [done] = await settled([
      memory.str_replace({ command: "str_replace", path: PATH, old_str: "aa", new_str: "b" }),
    ]);
    return {
      holds: !done && at.get().toString() === "aa-aa\n",
      said: done ? "replaces the first" : "refused",
    };
  },
  "bytes that are not UTF-8": async (memory, at) => {
    const bytes = Buffer.from([0x41, 0xff, 0x0a, 0x42]);
    at.put(bytes);
    await settled([
      memory.insert({ command: "insert", path: PATH, insert_line: 1, insert_text: "x" }),
    ]);
    const after = at.get();
    return {
      holds: after.includes(bytes.subarray(0, 3)),
      said: `\`${bytes.toString("hex")}\` → \`${after.toString("hex")}\``,
    };
  },
  "`/memoriesX/evil`": async (memory) => {
    const [done] = await settled([
      memory.create({ command: "create", path: "/memoriesX/evil", file_text: "x" }),
    ]);
    return { holds: !done, said: done ? "accepted" : "refused" };
  },
};

async function memoryRows() {
  const rows = [];
  for (const [name, probe] of Object.entries(PROBES)) {
    const there = place("memories");
    const theirs = await probe(await BetaLocalFilesystemMemoryTool.init(there.dir), there);
    const here = place("memories");
    rows.push({ name, theirs, ours: await probe(memoryHandlers(here.backend()), here) });
  }
  return rows;
}

// --- 20 edits at once ---

/** Two shells that each change half of the lines of one file, all at once. */
async function shellEdits(shells, script) {
  return settled(
    LINES.map(async (_, index) => (await shells[index % 2].exec(script(index))).exitCode === 0),
  );
}

const IN_PLACE = (index) => `sed -i 's/^\\[${index}\\]$/[${index}]!/' /f`;
const APPENDED = (index) => `echo '[${index}]!' >> /f`;

async function overlayEdits(script) {
  const at = place();
  at.put(`${LINES.join("\n")}\n`);
  // An overlay keeps its changes to itself, so both shells have the same one.
  const shared = new OverlayFs({ root: at.dir, mountPoint: "/" });
  const done = await shellEdits([new Bash({ fs: shared }), new Bash({ fs: shared })], script);
  return kept(done, await shared.readFile("/f"));
}

async function bashEdits(script) {
  const at = place();
  at.put(`${LINES.join("\n")}\n`);
  const shells = [backendBash(Bash, at.backend()), backendBash(Bash, at.backend())];
  return kept(await shellEdits(shells, script), at.get().toString());
}

const mastraEdits = async (at, open) => {
  at.put(LINES.join("\n"));
  const runs = await Promise.all(
    [open(), open()].map(async (filesystem) => {
      const workspace = new mastra.Workspace({ filesystem });
      await workspace.init();
      const tools = await mastra.createWorkspaceTools(workspace);
      return async (line) =>
        tools.mastra_workspace_edit_file.execute(
          { path: "f", old_string: line, new_string: `${line}!` },
          { workspace },
        );
    }),
  );
  const done = await settled(
    LINES.map(async (line, index) => String(await runs[index % 2](line)).startsWith("Replaced")),
  );
  return kept(done, at.get().toString());
};

const mastraWrites = async (at, filesystem) => {
  at.put("one");
  await filesystem.readFile("f");
  const { modifiedAt } = await filesystem.stat("f");
  const done = await settled(
    LINES.map(async (line) => filesystem.writeFile("f", line, { expectedMtime: modifiedAt })),
  );
  return done.filter(Boolean).length;
};

async function patches() {
  const at = place();
  at.put(LINES.join("\n"));
  const editors = [backendEditor(applyDiff, at.backend()), backendEditor(applyDiff, at.backend())];
  const done = await settled(
    LINES.map(async (line, index) => {
      const diff = `@@\n-${line}\n+${line}!\n`;
      const { status } = await editors[index % 2].updateFile({
        type: "update_file",
        path: "f",
        diff,
      });
      return status === "completed";
    }),
  );
  return kept(done, at.get().toString());
}

// --- calls of a redirect ---

async function redirects() {
  const at = place();
  let calls = 0;
  const counted = interceptBackend(at.backend(), async (_call, proceed) => {
    calls++;
    return proceed();
  });
  const shell = backendBash(Bash, counted);
  const count = async (script) => {
    calls = 0;
    const { exitCode, stderr } = await shell.exec(script);
    if (exitCode !== 0) throw new Error(stderr);
    return calls;
  };
  return {
    replacing: (await count(LINES.map((_, index) => `echo x > /r${index}`).join("\n"))) / MANY,
    appending: (await count(LINES.map((_, index) => `echo x >> /r${index}`).join("\n"))) / MANY,
  };
}

const versionOf = (name) => {
  const require = createRequire(import.meta.url);
  const paths = require.resolve.paths(name) ?? [];
  const found = paths
    .map((path) => join(path, name, "package.json"))
    .find((path) => fs.existsSync(path));
  return JSON.parse(fs.readFileSync(found, "utf8")).version;
};

try {
  const memory = await memoryRows();
  const holding = (side) => memory.filter((row) => row[side].holds).length;
  const answer = ({ done, there }) => `${done} | ${there}`;
  const local = place();
  const ours = place();
  const localWrites = place();
  const ourWrites = place();
  const localFs = (at) => new mastra.LocalFilesystem({ basePath: at.dir });
  const rows = [
    { name: "just-bash `OverlayFs`, `sed -i` in two shells", counts: await overlayEdits(IN_PLACE) },
    { name: "`@fs/just-bash`, `sed -i` in two shells", counts: await bashEdits(IN_PLACE) },
    { name: "just-bash `OverlayFs`, `>>` in two shells", counts: await overlayEdits(APPENDED) },
    { name: "`@fs/just-bash`, `>>` in two shells", counts: await bashEdits(APPENDED) },
    {
      name: "Mastra `LocalFilesystem`, `edit_file` in two workspaces",
      counts: await mastraEdits(local, () => localFs(local)),
    },
    {
      name: "`@fs/mastra`, `edit_file` in two workspaces",
      counts: await mastraEdits(ours, () => mastraFilesystem(mastra, ours.backend())),
    },
    { name: "`@fs/openai-agents`, `apply_patch` in two editors", counts: await patches() },
  ];
  const { replacing, appending } = await redirects();
  const heading = (title) => console.log(`\n## ${title}\n`);
  console.log("# Bridges\n");
  console.log(
    `\`node tools/bridge-probes/bench/bridges.mjs\`, after \`tsc -b\`: each bridge over \`@fs/disk\` beside the files that its framework brings, in one run. Node ${process.versions.node}, just-bash ${versionOf("just-bash")}, @mastra/core ${versionOf("@mastra/core")}, @anthropic-ai/sdk ${versionOf("@anthropic-ai/sdk")}, @openai/agents ${versionOf("@openai/agents")}. Counts only, no times.`,
  );
  heading("Claude's memory tool");
  console.log("| probe | the SDK's own file helper | `@fs/anthropic` |\n| --- | --- | --- |");
  for (const { name, theirs, ours: here } of memory)
    console.log(`| ${name} | ${theirs.said} | ${here.said} |`);
  console.log(
    `| **held** | **${holding("theirs")} of ${memory.length}** | **${holding("ours")} of ${memory.length}** |`,
  );
  heading(`${MANY} edits of one file at once`);
  console.log("| through | answered as done | there afterwards |\n| --- | --- | --- |");
  for (const { name, counts } of rows) console.log(`| ${name} | ${answer(counts)} |`);
  console.log(
    "\n`sed -i` and Mastra's `edit_file` read and write in two steps. Where another was faster in between, the bridges answer that nothing was done, and the agent repeats it; `>>`, patches and Claude's memory are repeated by the bridge.",
  );
  heading(`${MANY} writes that name one time`);
  console.log("| through | accepted |\n| --- | --- |");
  console.log(
    `| Mastra \`LocalFilesystem\` | ${await mastraWrites(localWrites, localFs(localWrites))} |`,
  );
  console.log(
    `| \`@fs/mastra\` | ${await mastraWrites(ourWrites, mastraFilesystem(mastra, ourWrites.backend()))} |`,
  );
  heading("Calls of the backend for a redirect of just-bash");
  console.log("| redirect | calls |\n| --- | --- |");
  console.log(`| \`>\` | ${replacing} |\n| \`>>\` to a file that exists | ${appending} |`);
} finally {
  fs.rmSync(base, { recursive: true, force: true });
}
