import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildPackages, packAll } from "../src/tarballs.js";
import {
  missingParts,
  publicPackages,
  workspaceClosure,
  workspacePackages,
} from "../src/workspace.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where each package's tarball is, by its name. */
    readonly tarballs: Readonly<Record<string, string>>;
  }
}

/** Packs every finished package before the tests that need one: two that packed the same folder would take each other's files away. */
export default async function packOnce({ provide }: TestProject): Promise<() => Promise<void>> {
  const all = workspacePackages();
  const finished = publicPackages().filter((pkg) => missingParts(pkg).length === 0);
  const packed = [...new Set(finished.flatMap((pkg) => workspaceClosure(pkg, all)))];
  const folder = await mkdtemp(join(tmpdir(), "fs-tarballs-"));
  await buildPackages(packed);
  provide("tarballs", Object.fromEntries(await packAll(packed, folder)));
  return () => rm(folder, { recursive: true, force: true });
}
