import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend, type Filesystem, MemoryBackend, MemoryVolume } from "@fs/protocol";
import { VolumeBackend, type Volume } from "@fs/protocol/author";
import { filesSchema, StateBackend } from "@fs/state";
import { StoreBackend } from "@fs/store";
import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";

/** Moves and copies a file and a directory onto themselves by another mount, and looks whether the content survived. */
async function expectContentSurvives(all: Filesystem, left: string, right: string): Promise<void> {
  await all.write(`${left}/f`, "only copy");
  await all.write(`${left}/d/g`, "only copy of g");
  for (const kind of ["move", "copy"] as const) {
    for (const name of ["f", "d"]) {
      for (const overwrite of [true, false]) {
        const result = await all[kind]?.(`${left}/${name}`, `${right}/${name}`, { overwrite });
        if (kind === "move" && overwrite) expect(result?.code).toBe("conflict");
      }
    }
  }
  expect((await all.read(`${right}/f`)).content).toBe("only copy");
  expect((await all.read(`${left}/d/g`)).content).toBe("only copy of g");
}

describe("two mounts of one storage keep the only copy", () => {
  test("memory, twice the same backend", async () => {
    const memory = new MemoryBackend();
    await expectContentSurvives(
      new CompositeBackend(new MemoryBackend(), { "/a/": memory, "/b/": memory }),
      "/a",
      "/b",
    );
  });

  test("a storage whose versions are hashes of the content", async () => {
    const volume = hashing(new MemoryVolume());
    const mounts = { "/a/": new VolumeBackend(volume), "/b/": new VolumeBackend(volume) };
    await expectContentSurvives(new CompositeBackend(new MemoryBackend(), mounts), "/a", "/b");
  });

  test("a disk that is mounted within another", async () => {
    const rootDir = await mkdtemp(join(tmpdir(), "fs-nested-"));
    await mkdir(join(rootDir, "x"));
    try {
      const all = new CompositeBackend(new MemoryBackend(), {
        "/outer/": new FilesystemBackend({ rootDir }),
        "/inner/": new FilesystemBackend({ rootDir: join(rootDir, "x") }),
      });
      await expectContentSurvives(all, "/outer/x", "/inner");
    } finally {
      await rm(rootDir, { recursive: true });
    }
  });

  test("two store backends on one namespace", async () => {
    const store = new InMemoryStore();
    const open = (): StoreBackend => new StoreBackend({ store, namespace: ["files"] });
    await expectContentSurvives(
      new CompositeBackend(new MemoryBackend(), { "/a/": open(), "/b/": open() }),
      "/a",
      "/b",
    );
  });

  test("two state backends in one graph", async () => {
    let problem: unknown;
    const graph = new StateGraph(filesSchema)
      .addNode("move", async () => {
        const mounts = { "/a/": new StateBackend(), "/b/": new StateBackend() };
        try {
          await expectContentSurvives(
            new CompositeBackend(new MemoryBackend(), mounts),
            "/a",
            "/b",
          );
        } catch (error) {
          problem = error;
        }
        return {};
      })
      .addEdge(START, "move")
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({}, { configurable: { thread_id: "1" } });
    if (problem !== undefined) throw problem;
  });
});

/** The volume with versions that are the content itself: storing the same content again changes no version. */
function hashing(volume: Volume): Volume {
  const versionOf = async (path: string): Promise<string | undefined> => {
    const file = await volume.get(path, {});
    return file === undefined ? undefined : Buffer.from(file.bytes).toString("base64");
  };
  const inner = async (path: string, ifVersion: string | undefined): Promise<object> => {
    if (ifVersion === undefined) return {};
    const same = (await versionOf(path)) === ifVersion;
    return { ifVersion: same ? ((await volume.get(path, {}))?.version ?? "none") : "none" };
  };
  return {
    get: async (path, call) => {
      const file = await volume.get(path, call);
      return file === undefined ? undefined : { ...file, version: (await versionOf(path)) ?? "" };
    },
    put: async (path, bytes, { ifVersion, ...condition }) => {
      await volume.put(path, bytes, { ...condition, ...(await inner(path, ifVersion)) });
      return { version: Buffer.from(bytes).toString("base64") };
    },
    remove: async (path, { ifVersion, ...condition }) =>
      volume.remove(path, { ...condition, ...(await inner(path, ifVersion)) }),
    list: (directory, query) => volume.list(directory, query),
  };
}
