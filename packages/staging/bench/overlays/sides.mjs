// What is compared: an overlay of ours and of others over one folder, each by the same few calls. A call that a side does
// not have is left out, and counts as what it cannot do.
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { fileJournal, withJournal } from "@fs/journal";
import { StagingBackend } from "../../dist/index.js";

/** @type {Record<string, (root: string, kept: string) => Promise<object>>} */
export const SIDES = {
  "`StagingBackend`, changes in memory": (root) => ours(root),
  "`StagingBackend`, changes on disk": (root, kept) => ours(root, join(kept, "upper")),
  "just-bash `OverlayFs` 3.4.2": async (root) => {
    const { OverlayFs } = await import("just-bash");
    const fs = new OverlayFs({ root, mountPoint: "/" });
    return plain(fs, (path) => fs.rm(path));
  },
  "AgentFS SDK 0.6.4": async (root, kept) => {
    const { AgentFS } = await import("agentfs-sdk");
    const open = () => AgentFS.open({ path: join(kept, "agent.db") });
    const { fs } = await open();
    // It has no overlay in its SDK: the tree is copied into its database.
    await copyInto(fs, root, "/");
    const side = plain(fs, (path) => fs.unlink(path));
    return { ...side, again: async () => plain((await open()).fs) };
  },
};

async function ours(root, upperDir) {
  const disk = new FilesystemBackend({ rootDir: root });
  const journal = join(root, "..", "journal");
  const files = withJournal(disk, {
    store: fileJournal(new FilesystemBackend({ rootDir: journal })),
  });
  const upper =
    upperDir === undefined ? {} : { upper: new FilesystemBackend({ rootDir: upperDir }) };
  const staged = new StagingBackend(files, upper);
  const checked = (result) => {
    if (result.error) throw new Error(result.error);
    return result;
  };
  return {
    read: async (path) => checked(await staged.readRaw(path)).data.content,
    change: async (path, from, to) => checked(await staged.edit(path, from, to)),
    remove: async (path) => checked(await staged.delete(path)),
    list: async (path) => checked(await staged.ls(path)).files.map((file) => file.path),
    changes: async () => checked(await staged.changes()).changes.map(({ path }) => path),
    patch: async () => checked(await staged.diff()).patch,
    commit: async (only) => checked(await staged.commit(only === undefined ? {} : { only })),
    undo: async () => checked(await files.journal.undo({ since: new Date(0).toISOString() })),
    ...(upperDir === undefined ? {} : { again: () => ours(root, upperDir) }),
  };
}

/** What a filesystem like `node:fs/promises` offers: an edit is a read and a write. */
function plain(fs, remove) {
  return {
    read: async (path) => String(await fs.readFile(path, "utf8")),
    change: async (path, from, to) => {
      const text = String(await fs.readFile(path, "utf8"));
      await fs.writeFile(path, text.replace(from, to));
    },
    remove,
    list: (path) => fs.readdir(path),
  };
}

async function copyInto(fs, root, at) {
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const [from, to] = [join(root, entry.name), `${at}${entry.name}`];
    if (entry.isDirectory()) {
      await fs.mkdir(to);
      await copyInto(fs, from, `${to}/`);
    } else await fs.writeFile(to, await readFile(from));
  }
}

/** Bytes in a folder. */
export async function bytesIn(folder) {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
