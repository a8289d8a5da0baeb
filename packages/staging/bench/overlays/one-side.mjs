// Tries one side in a process of its own, and prints what it can do or holds: node --expose-gc one-side.mjs {name,root,kept,task}
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bytesIn, SIDES } from "./sides.mjs";

const { name, root, kept, task } = JSON.parse(process.argv[2]);
const inBase = (path) => readFile(join(root, path), "utf8");

/** @returns Whether each thing can be done, found out by doing it. */
async function abilities() {
  const side = await SIDES[name](root, kept);
  const can = {};
  await side.change("/a.txt", "one", "two");
  can["sees its own changes"] = (await side.read("/a.txt")).includes("two");
  can["leaves the base alone"] = (await inBase("a.txt")).includes("one");
  await side.remove("/dir/only.txt");
  const listed = (await side.list("/")).map((entry) => entry.replaceAll("/", ""));
  can["a directory goes with its last file"] = !listed.includes("dir");
  const many = Array.from({ length: 20 }, (_, n) => `line ${n}\n`);
  const settled = await Promise.allSettled(
    many.map((line) => side.change("/log.txt", "<end>", `${line}<end>`)),
  );
  const acknowledged = settled.filter(({ status }) => status === "fulfilled").length;
  const log = await side.read("/log.txt");
  const kept20 = many.filter((line) => log.includes(line)).length;
  can["20 edits of a file at once"] = `${acknowledged} acknowledged, ${kept20} there`;
  can["lists what changed"] = (await side.changes?.())?.includes("/a.txt") ?? false;
  can["shows a patch"] = (await side.patch?.())?.includes("+two") ?? false;
  const again = await side.again?.();
  can["another process goes on"] =
    again !== undefined && (await again.read("/a.txt")).includes("two");
  await writeFile(join(root, "log.txt"), "theirs\n");
  const part = await side.commit?.("/a.txt");
  can["commits a part"] = part !== undefined && (await inBase("a.txt")).includes("two");
  const rest = await side.commit?.();
  const status = rest?.paths.find(({ path }) => path === "/log.txt")?.status;
  can["a file that a colleague changed"] =
    rest === undefined
      ? "no commit"
      : (await inBase("log.txt")) === "theirs\n"
        ? status
        : "overwritten";
  await side.undo?.();
  can["takes a commit back"] = side.undo !== undefined && (await inBase("a.txt")).includes("one");
  return can;
}

/** @returns Bytes that ten edits of a large tree hold in memory, and in what the side keeps beside the base. */
async function held() {
  const before = await used();
  const side = await SIDES[name](root, kept);
  for (let n = 0; n < 10; n++) await side.change(`/f${n}.txt`, "first line", `changed line ${n}`);
  const after = await used();
  // It must still be in use here.
  await side.read("/f0.txt");
  return { memory: after - before, stored: await bytesIn(kept) };
}

/** What is held once nothing is left to collect: buffers go some time after what held them. */
async function used() {
  for (let round = 0; round < 5; round++) {
    globalThis.gc();
    await delay(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

process.stdout.write(JSON.stringify(await (task === "held" ? held() : abilities())), () => {
  process.exit(0);
});
