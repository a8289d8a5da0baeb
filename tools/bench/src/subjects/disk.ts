import fs from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { FilesystemBackend as PeerBackend } from "deepagents";
import { contentOf, pathOf } from "../operations.js";
import type { Subject } from "../subject.js";

function fillDirectory(root: string, files: number): void {
  for (let file = 0; file < files; file++) {
    const path = join(root, pathOf(file));
    if (file % 100 === 0) fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, contentOf(file));
  }
}

/** A directory of the host, beside the synchronous calls of Node. */
export const disk: Subject = {
  suite: "disk",
  title: "Disk",
  sides: {
    ours: "FilesystemBackend of @fs/disk",
    peer: "FilesystemBackend of deepagents",
    limit: "synchronous calls of node:fs",
  },
  clock: "wall",
  mostFiles: 100_000,
  open: async (files) => {
    const folder = await mkdtemp(join(fs.realpathSync(tmpdir()), "fs-bench-"));
    const roots = ["ours", "peer", "limit"].map((name) => join(folder, name));
    const [mine = "", theirs = "", plain = ""] = roots;
    for (const root of roots) fillDirectory(root, files);
    fs.mkdirSync(join(plain, "new"));
    let written = 0;
    const file = (path: string): string => join(plain, path);
    return {
      ours: new FilesystemBackend({ rootDir: mine }),
      peer: new PeerBackend({ rootDir: theirs, virtualMode: true }),
      limits: {
        read: () => fs.readFileSync(file("/d0/f0.md"), "utf8"),
        write: () => fs.writeFileSync(file(`/new/${++written}.md`), contentOf(written)),
        edit: () => {
          const text = fs.readFileSync(file("/d0/f1.md"), "utf8");
          fs.writeFileSync(file("/d0/.tmp"), text.replace("file 1", "file 1"));
          fs.renameSync(file("/d0/.tmp"), file("/d0/f1.md"));
        },
        "ls of a directory of 100": () =>
          fs.readdirSync(file("/d0")).map((name) => fs.lstatSync(file(`/d0/${name}`))),
        "download of 100": () =>
          Array.from({ length: 100 }, (_, at) => fs.readFileSync(file(pathOf(at)))),
      },
      close: () => rm(folder, { recursive: true }),
    };
  },
};
