import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend } from "@fs/protocol";
import { LocalShellBackend } from "@fs/shell";
import { StateBackend } from "@fs/state";
import { StoreBackend } from "@fs/store";
import { InMemoryStore, MemorySaver } from "@langchain/langgraph";
import * as theirs from "deepagents";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Create, packages, scripted } from "./support/both-packages.js";
import { inThread, results, say } from "./support/results.js";
import { edit, read, write } from "./support/scripted-model.js";

// The examples of deepagents' documentation of backends, with either package and the backends of either.
let rootDir: string;
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "agent-backends-"));
});
afterEach(async () => {
  await rm(rootDir, { recursive: true });
});
type Backend = NonNullable<Parameters<Create>[0]>["backend"];
const given = (backend: unknown) => backend as NonNullable<Backend>;

/** A backend of one's own that guards a folder of another: the documented subclass. */
class GuardedBackend extends FilesystemBackend {
  override async write(path: string, content: string) {
    return path.startsWith("/guarded/")
      ? {
          error: `Writes are not allowed under /guarded/: ${path}` as const,
          code: "permission_denied" as const,
        }
      : super.write(path, content);
  }
}

describe.each(packages)("with $name", ({ createDeepAgent }) => {
  test.each([
    ["ours", () => new FilesystemBackend({ rootDir })],
    ["theirs", () => new theirs.FilesystemBackend({ rootDir, virtualMode: true })],
  ])("a local directory, %s", async (_, backend) => {
    const path = "/notes/a.md";
    const agent = createDeepAgent({
      model: scripted([write(path, "one\n")], [read(path)], [edit(path, "one", "two")], "done"),
      backend: given(backend()),
    });
    await agent.invoke(say("go"));
    expect(await readFile(join(rootDir, "notes", "a.md"), "utf8")).toBe("two\n");
  });

  test.each([
    ["ours", () => new LocalShellBackend({ rootDir, inheritEnv: true })],
    [
      "theirs",
      () => new theirs.LocalShellBackend({ rootDir, virtualMode: true, inheritEnv: true }),
    ],
  ])("a shell, %s", async (_, backend) => {
    const agent = createDeepAgent({
      model: scripted(
        [write("/hello.sh", "echo hello\n")],
        [{ name: "execute", args: { command: "sh hello.sh" } }],
        "done",
      ),
      backend: given(backend()),
    });
    const { messages } = await agent.invoke(say("go"));
    expect(results(messages, "execute")[0]?.text).toContain("hello");
  });

  test.each([
    [
      "ours",
      () =>
        new CompositeBackend(new StateBackend(), {
          "/memories/": new StoreBackend({ namespace: () => ["ada"] }),
        }),
    ],
    [
      "theirs",
      () =>
        new theirs.CompositeBackend(new theirs.StateBackend(), {
          "/memories/": new theirs.StoreBackend({ namespace: () => ["ada"] }),
        }),
    ],
  ])("memories that last and drafts that do not, %s", async (_, backend) => {
    const model = scripted(
      [write("/memories/likes.md", "tea"), write("/draft.md", "a draft")],
      "saved",
      [read("/memories/likes.md"), read("/draft.md")],
      "done",
    );
    const agent = createDeepAgent({
      model,
      backend: given(backend()),
      store: new InMemoryStore(),
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(say("remember"), inThread("1"));
    const { messages } = await agent.invoke(say("what do I like?"), inThread("2"));
    const [likes, draft] = results(messages, "read_file").map(({ text }) => text);
    expect(likes).toContain("tea");
    expect(draft).toMatch(/not found/i);
  });

  test("a backend of one's own, which refuses writes to a folder", async () => {
    const agent = createDeepAgent({
      model: scripted([write("/guarded/a.md", "x"), write("/free.md", "y")], "done"),
      backend: given(new GuardedBackend({ rootDir })),
    });
    const { messages } = await agent.invoke(say("go"));
    expect(results(messages, "write_file")[0]?.text).toContain("not allowed under /guarded/");
    expect(existsSync(join(rootDir, "guarded"))).toBe(false);
    expect(await readFile(join(rootDir, "free.md"), "utf8")).toBe("y");
  });

  test("routes: the longest prefix wins", async () => {
    const outer = new FilesystemBackend({ rootDir });
    const agent = createDeepAgent({
      model: scripted([write("/m/a.md", "a"), write("/m/deep/b.md", "b")], "done"),
      backend: given(
        new CompositeBackend(new StateBackend(), { "/m/": outer, "/m/deep/": new StateBackend() }),
      ),
    });
    await agent.invoke(say("go"));
    expect(await readFile(join(rootDir, "a.md"), "utf8")).toBe("a");
    expect(existsSync(join(rootDir, "deep"))).toBe(false);
  });
});
