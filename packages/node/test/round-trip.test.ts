import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { conformance } from "@fs/conformance/vitest";
import { FilesystemBackend } from "@fs/disk";
import { type Filesystem, MemoryBackend } from "@fs/protocol";
import { volumeOverNode } from "./volume-over-node.js";
import { VolumeBackend } from "@fs/protocol/author";
import { nodeFilesystem } from "@fs/node";

/** A backend over the object like `node:fs/promises` over a backend: what the mapping loses on its way fails a rule. */
function throughNode(backend: Filesystem): VolumeBackend {
  return new VolumeBackend(volumeOverNode(nodeFilesystem(backend)));
}

const base = realpathSync(mkdtempSync(join(tmpdir(), "fs-node-")));

conformance({ name: "memory through node", create: () => throughNode(new MemoryBackend()) });
conformance({
  name: "disk through node",
  create: ({ ns }) => throughNode(new FilesystemBackend({ rootDir: join(base, ns) })),
  teardown: () => rmSync(base, { recursive: true, force: true }),
  profile: { directories: "real", durable: true },
  secrets: [base],
});
