// Compares the disk backend with `deepagents` and with the plain calls of Node and ripgrep, in one run.
//
//   node packages/disk/bench/disk.mjs [directory to search] [only this case]
//
// `ROUNDS` (default 7) is the number of interleaved rounds. Needs a build (`tsc -b`). Prints a Markdown table of ratios to the plain call; times are of this machine and moment.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { FilesystemBackend as Peer } from "deepagents";
import { FilesystemBackend } from "../dist/index.js";
import { compare, format } from "./measure.mjs";

const corpus = fs.realpathSync(process.argv[2] ?? "node_modules");
const only = process.argv[3];
const scratch = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "fs-disk-bench-"));
// The peer finds ripgrep on PATH only.
process.env["PATH"] = `${join(rgPath, "..")}:${process.env["PATH"]}`;

const ours = new FilesystemBackend({ rootDir: corpus });
const threaded = new FilesystemBackend({ rootDir: corpus, ripgrep: false });
const peer = new Peer({ rootDir: corpus, virtualMode: true });
const local = new FilesystemBackend({ rootDir: scratch });
const peerLocal = new Peer({ rootDir: scratch, virtualMode: true });
const rows = [];

function rg(pattern, ...flags) {
  const result = spawnSync(
    rgPath,
    ["-F", "-n", "--no-config", "-uu", ...flags, "-e", pattern, "--", corpus],
    {
      maxBuffer: 2 ** 30,
    },
  );
  return result.stdout.length;
}

async function bench(id, what, sides) {
  if (only !== undefined && only !== id) return;
  const result = await compare(sides, Number(process.env["ROUNDS"] ?? 7));
  rows.push({ id, what, result });
  const cells = Object.entries(result).map(
    ([name, { ms, ratio }]) => `${name} ${format(ms)} (x${ratio.toFixed(2)})`,
  );
  console.error(`${id} ${what}: ${cells.join(", ")}`);
}

const count = async (backend, word, cap) => {
  const { matches, error } = await backend.grep(word, "/", null, cap);
  if (error) throw new Error(error);
  return matches.length;
};

const RARE = `rare-${process.pid}-word`;
const SOME = "Symbol.asyncDispose";
const COMMON = "function";
const VERY_COMMON = "return";
console.error(
  `corpus: ${spawnSync("find", [corpus, "-type", "f"]).stdout.toString().split("\n").length - 1} files`,
);
for (const word of [SOME, COMMON, VERY_COMMON])
  console.error(`${word}: ${await count(ours, word)} matches`);

await bench("D1", "grep, no match", {
  rg: () => rg(RARE),
  ours: () => count(ours, RARE),
  peer: () => count(peer, RARE),
});
await bench("D1b", "grep, some matches", {
  rg: () => rg(SOME),
  ours: () => count(ours, SOME),
  peer: () => count(peer, SOME),
});
await bench("D2", "grep, common word, all matches", {
  rg: () => rg(COMMON),
  ours: () => count(ours, COMMON),
  peer: () => count(peer, COMMON),
});
await bench("D3", "grep, common word, first 1000", {
  rg: () => rg(COMMON),
  ours: () => count(ours, COMMON, 1000),
  peer: () => count(peer, COMMON, 1000),
});
await bench("D3b", "grep, very common word, first 1000", {
  rg: () => rg(VERY_COMMON),
  ours: () => count(ours, VERY_COMMON, 1000),
});
await bench("D4", "grep without ripgrep, no match", {
  rg: () => rg(RARE),
  ours: () => count(threaded, RARE),
});
await bench("D4b", "grep without ripgrep, common word", {
  rg: () => rg(COMMON),
  ours: () => count(threaded, COMMON),
});

function walk(directory, accept, found = []) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    if (entry.isDirectory()) walk(path, accept, found);
    else if (entry.isFile() && accept(entry.name)) {
      const stats = fs.lstatSync(path);
      found.push([path, stats.size, stats.mtimeMs]);
    }
  }
  return found;
}
await bench("D6", "glob **/*.ts, size and time", {
  "sync walk": () => walk(corpus, (name) => name.endsWith(".ts")),
  ours: () => ours.glob("**/*.ts"),
  peer: () => peer.glob("**/*.ts", "/"),
});

fs.mkdirSync(join(scratch, "many"));
for (let i = 0; i < 10_000; i++) fs.writeFileSync(join(scratch, "many", `file-${i}.txt`), "x");
await bench("D7", "ls of 10,000 files", {
  "readdir+lstat": () =>
    fs
      .readdirSync(join(scratch, "many"), { withFileTypes: true })
      .map((e) => fs.lstatSync(join(scratch, "many", e.name))),
  ours: () => local.ls("/many"),
  peer: () => peerLocal.ls("/many"),
});

const deep = "/a/b/c/d";
fs.mkdirSync(scratch + deep, { recursive: true });
const line = `${"abcdefgh ".repeat(7)}\n`;
for (let i = 0; i < 1000; i++) fs.writeFileSync(`${scratch}${deep}/f${i}.txt`, line.repeat(64));
const thousand = Array.from({ length: 1000 }, (_, i) => `${deep}/f${i}.txt`);
await bench("D8", "1000 reads of 4 KB, depth 5", {
  readFileSync: () => thousand.forEach((path) => fs.readFileSync(scratch + path, "utf8")),
  ours: async () => {
    for (const path of thousand) await local.read(path);
  },
  peer: async () => {
    for (const path of thousand) await peerLocal.read(path);
  },
});
await bench("D13", "downloadFiles of 1000 × 4 KB", {
  readFileSync: () => thousand.forEach((path) => fs.readFileSync(scratch + path)),
  ours: () => local.downloadFiles(thousand),
  peer: () => peerLocal.downloadFiles(thousand),
});

const gigabyte = join(scratch, "big.txt");
if (only === undefined || only.startsWith("D9") || only.startsWith("D10")) {
  const block = Buffer.from(line.repeat(16_384));
  const fd = fs.openSync(gigabyte, "w");
  for (let written = 0; written < 2 ** 30; written += block.length) fs.writeSync(fd, block);
  fs.closeSync(fd);
}
function scanTo(lines) {
  const fd = fs.openSync(gigabyte, "r");
  const chunk = Buffer.allocUnsafe(256 * 1024);
  let seen = 0;
  for (let at = 0; seen < lines;) {
    const got = fs.readSync(fd, chunk, 0, chunk.length, at);
    for (let nl = chunk.indexOf(10); nl !== -1 && seen < lines; nl = chunk.indexOf(10, nl + 1))
      seen++;
    at += got;
  }
  fs.closeSync(fd);
}
await bench("D9", "page at 0 of 1 GB, 100 lines", {
  "plain scan": () => scanTo(100),
  ours: () => local.read("/big.txt", 0, 100),
});
await bench("D10", "page at line 500,000 of 1 GB", {
  "plain scan": () => scanTo(500_100),
  ours: () => local.read("/big.txt", 500_000, 100),
});
fs.rmSync(gigabyte, { force: true });

const tenMegabytes = line.repeat(163_000) + "the only one\n";
for (const name of ["plain", "ours", "peer"])
  fs.writeFileSync(join(scratch, `${name}.txt`), tenMegabytes);
const state = { ours: 0, peer: 0 };
const next = (side) =>
  state[side]++ % 2 === 0 ? ["the only one", "the one only"] : ["the one only", "the only one"];
await bench("D11", "edit of a 10 MB file", {
  "readFile+writeFile": () =>
    fs.writeFileSync(join(scratch, "plain.txt"), fs.readFileSync(join(scratch, "plain.txt"))),
  ours: async () => {
    const { error } = await local.edit("/ours.txt", ...next("ours"));
    if (error) throw new Error(error);
  },
  peer: async () => {
    const { error } = await peerLocal.edit("/peer.txt", ...next("peer"));
    if (error) throw new Error(error);
  },
});

const small = line.repeat(64);
const smallBytes = Buffer.from(small);
let run = 0;
function fresh(side) {
  const directory = `/w/${side}${run++}/x/y`;
  fs.mkdirSync(scratch + directory, { recursive: true });
  return Array.from({ length: 1000 }, (_, i) => `${directory}/n${i}.txt`);
}
await bench("D12", "1000 writes of new 4 KB files", {
  writeFileSync: () => fresh("p").forEach((path) => fs.writeFileSync(scratch + path, small)),
  ours: async () => {
    for (const path of fresh("o")) await local.write(path, small);
  },
  peer: async () => {
    for (const path of fresh("q")) await peerLocal.write(path, small);
  },
});
await bench("D12b", "uploadFiles of 1000 × 4 KB", {
  writeFileSync: () => fresh("p").forEach((path) => fs.writeFileSync(scratch + path, small)),
  ours: () => local.uploadFiles(fresh("o").map((path) => [path, smallBytes])),
  peer: () => peerLocal.uploadFiles(fresh("q").map((path) => [path, smallBytes])),
});
fs.rmSync(scratch, { recursive: true });

console.log("| | operation | plain call | ours | deepagents |\n|---|---|---|---|---|");
for (const { id, what, result } of rows) {
  const [[plain, reference]] = Object.entries(result);
  const cell = (side) => (result[side] === undefined ? "–" : `x${result[side].ratio.toFixed(2)}`);
  console.log(
    `| ${id} | ${what} | ${plain} ${format(reference.ms)} | ${cell("ours")} | ${cell("peer")} |`,
  );
}
