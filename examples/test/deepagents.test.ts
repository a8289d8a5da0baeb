import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { createFilesystemMiddleware } from "@fs/middleware";
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import {
  createDeepAgent,
  FilesystemBackend as TheirFilesystemBackend,
  StateBackend as TheirStateBackend,
  StoreBackend as TheirStoreBackend,
  type AnyBackendProtocol,
} from "deepagents";
import { createAgent, ToolMessage } from "langchain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { edit, ls, read, turns, write, type Call } from "../src/scripted-model.js";

let rootDir: string;
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "agents-"));
});
afterEach(async () => {
  await rm(rootDir, { recursive: true });
});

const go = { messages: [{ role: "user", content: "go" }] };
const thread = { configurable: { thread_id: "1" } };
const glob = (pattern: string): Call => ({ name: "glob", args: { pattern } });
const grep = (pattern: string): Call => ({
  name: "grep",
  args: { pattern, output_mode: "content" },
});

/** Turns over a file in a directory: create and look, edit with both calls at once or one after the other, read and search. */
const script = (directory: string, edits: "at once" | "one by one") => {
  const path = `${directory}/notes.md`;
  const first = edit(path, "one", "1");
  const second = edit(path, "two", "2");
  return turns(
    [write(path, "one\ntwo\nthree\n")],
    [read(path), ls("/"), glob("**/*.md")],
    edits === "at once" ? [first, second] : [first],
    edits === "at once" ? [ls("/")] : [second],
    [read(path), grep("three")],
  );
};

/** Plays all turns. Returns the state at the end. */
async function play<State extends { messages: readonly unknown[] }>(
  turn: () => Promise<State>,
): Promise<State> {
  for (let n = 1; n < 5; n++) await turn();
  return turn();
}

function answers(messages: readonly unknown[]): string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
}

function textIn(state: object, path: string): unknown {
  const files = "files" in state ? (state.files as Record<string, { content: unknown }>) : {};
  return files[path]?.content;
}

const EDITED = "1\n2\nthree\n";

describe("createDeepAgent of deepagents, on the backends of this repository", () => {
  const agentOn = (backend: AnyBackendProtocol, directory: string) =>
    createDeepAgent({
      model: script(directory, "at once"),
      backend,
      store: new InMemoryStore(),
      checkpointer: new MemorySaver(),
    });

  test("FilesystemBackend", async () => {
    const agent = agentOn(new FilesystemBackend({ rootDir }), "/docs");
    const { messages } = await play(() => agent.invoke(go, thread));
    expect(await readFile(join(rootDir, "docs", "notes.md"), "utf8")).toBe(EDITED);
    check(answers(messages), "/docs");
  });

  test("StateBackend", async () => {
    const agent = agentOn(new StateBackend(), "/docs");
    const state = await play(() => agent.invoke(go, thread));
    expect(textIn(state, "/docs/notes.md")).toBe(EDITED);
    check(answers(state.messages), "/docs");
  });

  test("CompositeBackend", async () => {
    const backend = new CompositeBackend(new StateBackend(), {
      "/project/": new FilesystemBackend({ rootDir }),
    });
    const agent = agentOn(backend, "/project/docs");
    const state = await play(() => agent.invoke(go, thread));
    expect(await readFile(join(rootDir, "docs", "notes.md"), "utf8")).toBe(EDITED);
    expect(textIn(state, "/project/docs/notes.md")).toBeUndefined();
    check(answers(state.messages), "/project/docs");
  });

  function check(texts: readonly string[], directory: string): void {
    const path = `${directory}/notes.md`;
    const top = `/${directory.split("/")[1]}`;
    expect(texts).toEqual([
      `Successfully wrote to '${path}'`,
      expect.stringContaining("one\ntwo\nthree"),
      `${top}/ (directory)`,
      path,
      `Successfully replaced 1 occurrence(s) in '${path}'`,
      `Successfully replaced 1 occurrence(s) in '${path}'`,
      `${top}/ (directory)`,
      expect.stringContaining("1\n2\nthree"),
      expect.stringContaining("three"),
    ]);
  }
});

describe("the tools of @fs/middleware, on the backends of deepagents", () => {
  const agentOn = (backend: AnyBackendProtocol, store = new InMemoryStore()) =>
    createAgent({
      // Of edits of one file at once, these backends keep the last.
      model: script("/docs", "one by one"),
      middleware: [createFilesystemMiddleware({ backend })],
      store,
      checkpointer: new MemorySaver(),
    });

  test("FilesystemBackend", async () => {
    const backend = new TheirFilesystemBackend({ rootDir, virtualMode: true });
    const agent = agentOn(backend);
    const { messages } = await play(() => agent.invoke(go, thread));
    expect(await readFile(join(rootDir, "docs", "notes.md"), "utf8")).toBe(EDITED);
    check(answers(messages));
  });

  test("StateBackend", async () => {
    const agent = agentOn(new TheirStateBackend());
    const state = await play(() => agent.invoke(go, thread));
    expect(textIn(state, "/docs/notes.md")).toBe(EDITED);
    check(answers(state.messages));
  });

  test("StoreBackend", async () => {
    const store = new InMemoryStore();
    const agent = agentOn(new TheirStoreBackend({ namespace: () => ["team"] }), store);
    const { messages } = await play(() => agent.invoke(go, thread));
    expect((await store.get(["team"], "/docs/notes.md"))?.value["content"]).toBe(EDITED);
    check(answers(messages));
  });

  function check(texts: readonly string[]): void {
    expect(texts).toEqual([
      "Wrote /docs/notes.md",
      "1→one\n2→two\n3→three",
      "/docs/",
      "/docs/notes.md",
      "Edited /docs/notes.md (1 replaced)",
      "Edited /docs/notes.md (1 replaced)",
      "1→1\n2→2\n3→three",
      "/docs/notes.md\n3:three",
    ]);
  }
});
