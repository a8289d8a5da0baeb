import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { VolumeBackend } from "@fs/protocol/author";
import type { Harness } from "@fs/conformance";
import { FilesystemBackend, type FilesystemBackendOptions } from "@fs/disk";

type Symlinks = NonNullable<FilesystemBackendOptions["symlinks"]>;

/** Folders on this machine, one for each namespace: every client of one sees its files, and so does the test itself. */
export function diskHarness(
  name: string,
  options: FilesystemBackendOptions & { symlinks?: Symlinks },
  shape: (backend: FilesystemBackend) => VolumeBackend = (backend) => backend,
): Harness<VolumeBackend> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "fs-disk-conformance-")));
  const open = (ns: string): VolumeBackend =>
    shape(new FilesystemBackend({ ...options, rootDir: join(base, ns) }));
  return {
    name,
    create: ({ ns }) => open(ns),
    peer: ({ ns }) => open(ns),
    reopen: ({ ns }) => open(ns),
    outOfBand: ({ ns }) => witness(join(base, ns)),
    teardown: () => rmSync(base, { recursive: true, force: true }),
    profile: {
      directories: "real",
      symlinks: options.symlinks ?? "reject",
      durable: true,
      // Together with the root a longer path passes PATH_MAX, which the search program does not.
      limits: { pathBytes: 3500 },
      writeMode: options.writeMode ?? "create",
    },
    secrets: [base],
  };
}

function witness(root: string): ReturnType<NonNullable<Harness["outOfBand"]>> {
  const host = (path: string): string => join(root, path);
  const parent = (path: string): string => {
    mkdirSync(dirname(host(path)), { recursive: true });
    return host(path);
  };
  return {
    put: (path, bytes) => writeFileSync(parent(path), bytes),
    get: (path) => {
      try {
        return readFileSync(host(path));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }
    },
    mkdir: (path) => {
      mkdirSync(host(path), { recursive: true });
    },
    symlink: (path, target) => symlinkSync(target, parent(path)),
  };
}
