// A few calls of every package that is for browsers and edge runtimes; run by test/web.int.test.ts in both.
import { CompositeBackend, currentCaller, MemoryBackend, runAsCaller } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { StoreBackend } from "@fs/store";
import { noKnownFiles, textOf, TOOLS, toolSettings } from "@fs/tools";
import { InMemoryStore } from "@langchain/langgraph";

async function answers(): Promise<Record<string, unknown>> {
  const memory = new MemoryBackend();
  const store = new StoreBackend({ store: new InMemoryStore(), namespace: ["web"] });
  const files = new CompositeBackend(memory, { "/store/": store });
  await files.write("/a.txt", "one\ntwo é\n");
  await files.write("/store/b.txt", "one\n");
  await files.edit("/store/b.txt", "one", "two");
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
  await files.uploadFiles([["/store/c.bin", bytes]]);
  const [downloaded] = await files.downloadFiles(["/store/c.bin"]);
  const context = { backend: files, options: {}, settings: toolSettings(), known: noKnownFiles };
  const tool = await TOOLS.read_file.call({ path: "/a.txt" }, context);
  const { files: entries } = await files.ls("/store");
  const matches = await files.grep("two");
  const long = await files.write(`/${"é".repeat(200)}`, "");
  return {
    edited: (await files.read("/store/b.txt")).content,
    bytes: downloaded?.content?.join() === bytes.join(),
    listed: entries?.map(({ path }) => path),
    found: matches.matches?.map(({ path, line }) => `${path}:${line}`).toSorted(),
    tool: textOf(tool),
    long: long.code,
    version: (await store.stat?.("/b.txt"))?.info?.version !== undefined,
    caller: runAsCaller({ actor: "ada" }, () => currentCaller().actor),
    state: (await new StateBackend().read("/missing.txt")).code,
  };
}

Object.assign(globalThis, { answers });
