import { failure, CompositeBackend, MemoryBackend, readOnly } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { FilesystemBackend as PeerFilesystem } from "deepagents";
import { describe, expect, it } from "vitest";
import { callTools, runTurn } from "./support/run.js";

describe("backends", () => {
  it("keeps parallel edits in the thread's state", async () => {
    const { results } = await runTurn({ backend: new StateBackend() }, [
      () => [{ name: "write_file", args: { file_path: "/l.txt", content: "one\ntwo\nthree\n" } }],
      () =>
        ["one", "two", "three"].map((word) => ({
          name: "edit_file",
          args: { file_path: "/l.txt", old_string: word, new_string: word.toUpperCase() },
        })),
      () => [{ name: "read_file", args: { file_path: "/l.txt" } }],
    ]);
    expect(results.at(-1)?.text).toBe("1→ONE\n2→TWO\n3→THREE");
  });

  it("works over those of deepagents, alone and in a composite", async () => {
    const { mkdtemp, rm } = await import("node:fs/promises");
    const root = await mkdtemp("/tmp/fs-peer-");
    try {
      const peer = new PeerFilesystem({ rootDir: root, virtualMode: true });
      for (const [backend, base] of [
        [peer, ""],
        [new CompositeBackend(new MemoryBackend(), { "/peer/": peer }), "/peer"],
      ] as const) {
        const file = `${base}/n${base.length}.md`;
        const results = await callTools(
          { backend },
          { name: "write_file", args: { file_path: file, content: "alpha\n" } },
          { name: "edit_file", args: { file_path: file, old_string: "alpha", new_string: "beta" } },
          { name: "read_file", args: { file_path: file } },
          { name: "grep", args: { pattern: "beta", path: base === "" ? "/" : base } },
        );
        expect(results.map((result) => result.status)).toEqual(Array(4).fill("success"));
        expect(results[2]?.text).toContain("1→beta");
        expect(results[3]?.text).toContain(file);
      }
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it("honours an override of a subclass", async () => {
    class Guarded extends MemoryBackend {
      override async write(path: string, content: string) {
        if (path.endsWith(".env")) return failure("permission_denied", path, "No .env files.");
        return super.write(path, content);
      }
    }
    const backend = new CompositeBackend(new MemoryBackend(), { "/g/": new Guarded() });
    const [refused] = await callTools(
      { backend },
      { name: "write_file", args: { file_path: "/g/.env", content: "" } },
    );
    expect(refused?.text).toBe("Error: No .env files.");
  });

  it("says so when the filesystem is read-only", async () => {
    const [refused] = await callTools(
      { backend: readOnly(new MemoryBackend()) },
      { name: "write_file", args: { file_path: "/a", content: "" } },
    );
    expect(refused).toMatchObject({
      status: "error",
      content: "Error: This filesystem is read-only.",
    });
  });
});
