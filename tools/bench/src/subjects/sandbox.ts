import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BubblewrapSandbox } from "@fs/shell";
import { fill } from "../operations.js";
import type { Subject } from "../subject.js";

/** A sandbox of its own, beside a command that does nothing there. */
export const sandbox: Subject = {
  suite: "sandbox",
  title: "Sandbox",
  sides: { ours: "BubblewrapSandbox of @fs/shell", limit: "the command `true`" },
  clock: "wall",
  mostFiles: 10_000,
  open: async (files) => {
    const folder = await mkdtemp(join(await realpath(tmpdir()), "fs-bench-sandbox-"));
    const ours = new BubblewrapSandbox({ workspace: folder, rootDir: "/workspace" });
    await fill(ours, files);
    const nothing = (): Promise<unknown> => ours.execute("true");
    return {
      ours,
      limits: { read: nothing, edit: nothing, write: nothing, stat: nothing },
      close: () => rm(folder, { recursive: true }),
    };
  },
};
