import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { afterAll, describe } from "vitest";
import { answersAsTheirs } from "./shells.js";

const base = mkdtempSync(join(tmpdir(), "fs-just-bash-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("a shell", () => {
  answersAsTheirs("memory", async () => new MemoryBackend());
  answersAsTheirs(
    "a directory",
    async () => new FilesystemBackend({ rootDir: join(base, "disk") }),
  );
  answersAsTheirs(
    "a composite",
    async () => new CompositeBackend(new MemoryBackend(), { "/agent/": new MemoryBackend() }),
  );
});
