import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { type PostgresInfo, startPostgres } from "./postgres.js";
import type { TestServer } from "./server.js";
import { describeWithServer } from "./vitest.js";

/** What a bridge is tried on. */
export interface Storage<Backend> {
  /** Names it in a title. */
  readonly name: string;
  /** A backend without files, on which nothing is that another one has. */
  create(): Backend;
  /** A folder of its own, removed after the suite. */
  folder(): string;
}

/** The classes of the backends: their packages test with this one, so that it cannot depend on them. */
export interface LocalBackends<Memory, Disk, Composite> {
  readonly MemoryBackend: new () => Memory;
  readonly FilesystemBackend: new (options: { rootDir: string }) => Disk;
  readonly CompositeBackend: new (root: Memory, mounts: Record<string, Memory>) => Composite;
}

/**
 * Runs a suite over memory, over a directory, and over a composite whose files are in two backends.
 *
 * @param mount Where the second backend of the composite is mounted: `"/docs/"`.
 */
export function overLocalStorages<Memory, Disk, Composite>(
  title: string,
  backends: LocalBackends<Memory, Disk, Composite>,
  mount: string,
  suite: (storage: Storage<Memory | Disk | Composite>) => void,
): void {
  const { MemoryBackend, FilesystemBackend, CompositeBackend } = backends;
  describe(title, () => {
    const folder = foldersOfSuite();
    const create = {
      memory: () => new MemoryBackend(),
      "a directory": () => new FilesystemBackend({ rootDir: folder() }),
      "a composite": () =>
        new CompositeBackend(new MemoryBackend(), { [mount]: new MemoryBackend() }),
    };
    for (const [name, open] of Object.entries(create)) suite({ name, create: open, folder });
  });
}

/** Runs a suite over PostgreSQL: each backend has a namespace of its own. */
export function overPostgres<Backend extends { setup(): Promise<void>; close(): Promise<void> }>(
  title: string,
  PostgresBackend: new (options: { url: string; namespace: string }) => Backend,
  suite: (storage: Storage<Backend>) => void,
): void {
  describeWithServer("postgres", title, () => {
    let server: TestServer<PostgresInfo>;
    const opened: Backend[] = [];
    const create = (): Backend => {
      const backend = new PostgresBackend({ url: server.info.url, namespace: randomUUID() });
      opened.push(backend);
      return backend;
    };
    beforeAll(async () => {
      server = await startPostgres();
      await create().setup();
    });
    afterAll(async () => {
      await Promise.all(opened.map(async (backend) => backend.close()));
      await server.stop();
    });
    suite({ name: "PostgreSQL", create, folder: foldersOfSuite() });
  });
}

function foldersOfSuite(): () => string {
  const base = mkdtempSync(join(tmpdir(), "fs-storages-"));
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  return () => mkdtempSync(join(base, "own-"));
}
