// Calls that each thing makes, counted at the layers below.
import { fileJournal, withJournal } from "@fs/journal";
import { interceptBackend, MemoryBackend, runAsCaller } from "@fs/protocol";
import { StagingBackend } from "../../dist/index.js";

/** @returns {Promise<Array<[what: string, calls: string]>>} */
export async function countedCosts() {
  return [...(await ofStaging()), ...(await ofJournal())];
}

async function ofStaging() {
  const files = new MemoryBackend();
  for (let n = 10; n < 60; n++) await files.write(`/f${n}`, "hit\n");
  for (const path of ["/x/a", "/x/b", "/y/a"]) await files.write(path, "1\n");
  const [base, upper] = [counter(files, "base"), counter(new MemoryBackend(), "upper layer")];
  const staged = new StagingBackend(base.backend, { upper: upper.backend });
  const cost = async (what, task) => {
    for (const layer of [base, upper]) layer.reset();
    await task();
    return [what, [base, upper].map((layer) => layer.said()).join("; ")];
  };
  const many = Array.from({ length: 100 }, (_, n) => [`/new/${n}`, new Uint8Array([65])]);
  return [
    await cost("read a file", () => staged.read("/f10")),
    await cost("ls, nothing removed", () => staged.ls("/")),
    await cost("grep with a cap, nothing hidden", () => staged.grep("hit", "/", null, 5)),
    await cost("edit a file for the first time", () => staged.edit("/f10", "hit", "hits")),
    await cost("edit it again", () => staged.edit("/f10", "hits", "hit me")),
    await cost("write a new file", () => staged.write("/x/c", "1\n")),
    await cost("remove a file", () => staged.delete("/y/a")),
    await cost("ls, one directory with removals", () => staged.ls("/")),
    await cost("stage 100 new files at once", () => staged.uploadFiles(many)),
    await cost("commit 103 files", () => staged.commit()),
  ];
}

async function ofJournal() {
  const [base, kept] = [
    counter(new MemoryBackend(), "base"),
    counter(new MemoryBackend(), "journal"),
  ];
  const files = withJournal(base.backend, { store: fileJournal(kept.backend) });
  for (let n = 0; n < 100; n++) await files.write(`/${n}`, "0\n");
  const cost = async (what, task) => {
    for (const layer of [base, kept]) layer.reset();
    await task();
    return [`with a journal: ${what}`, [base, kept].map((layer) => layer.said()).join("; ")];
  };
  const turn = (id, task) => runAsCaller({ turnId: id }, task);
  return [
    await cost("read a file", () => files.read("/0")),
    await cost("edit a file", () => turn("1", () => files.edit("/0", "0", "1"))),
    await cost("delete a file", () => turn("2", () => files.delete("/99"))),
    await cost("100 edits", () =>
      turn("3", async () => {
        for (let n = 1; n < 99; n++) await files.edit(`/${n}`, "0", "1");
        await files.edit("/0", "1", "2");
        await files.edit("/1", "1", "2");
      }),
    ),
    await cost("undo these 100 edits of 99 files", () => files.journal.undo({ turnId: "3" })),
  ];
}

function counter(inner, name) {
  let counts = {};
  const backend = interceptBackend(inner, async ({ method, args }, proceed) => {
    // A conditional write is counted by file, so that a batch does not hide any.
    const files = method === "uploadFiles" && name === "base" ? args[0].length : 1;
    counts[method] = (counts[method] ?? 0) + files;
    return proceed();
  });
  return {
    backend,
    reset: () => {
      counts = {};
    },
    said: () => {
      const calls = Object.entries(counts).map(([method, count]) => `${count} ${method}`);
      return `${name}: ${calls.length === 0 ? "none" : calls.join(", ")}`;
    },
  };
}
