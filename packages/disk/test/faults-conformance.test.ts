import { join } from "node:path";
import type { Faults } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { mountSmallDisk } from "@fs/test-servers";
import { FilesystemBackend } from "@fs/disk";
import { afterAll, describe } from "vitest";

const disk = mountSmallDisk(4);
afterAll(() => disk?.remove());

describe.runIf(disk !== undefined)("FilesystemBackend on a disk that fails (needs root)", () => {
  const faults: Faults = {
    fill: () => {
      disk?.fill();
      return () => disk?.free();
    },
    readOnly: () => {
      disk?.remount("ro");
      return () => disk?.remount("rw");
    },
  };
  const open = ({ ns }: { ns: string }): FilesystemBackend =>
    new FilesystemBackend({ rootDir: join(disk?.path ?? "", ns) });
  for (const withHooks of [true, false])
    conformance(
      {
        name: `disk that can be full and read-only${withHooks ? "" : " without hooks"}`,
        create: (of) => (withHooks ? open(of) : open(of).withoutHooks()),
        faults: () => faults,
        profile: { directories: "real", symlinks: "reject", limits: { pathBytes: 3500 } },
        secrets: [disk?.path ?? ""],
      },
      { only: ["fault/*-full", "fault/*-read-only"] },
    );
});
