import { conformance } from "@fs/conformance/vitest";
import { VARIANT } from "@fs/test-servers/variants";
import { LocalShellBackend } from "@fs/shell";
import { base, directory } from "./conformance-harness.js";

// Its files are those of a disk backend, which runs the whole matrix.
conformance(
  {
    name: "local shell",
    create: ({ ns }) => new LocalShellBackend({ rootDir: directory(ns) }),
    peer: ({ ns }) => new LocalShellBackend({ rootDir: directory(ns) }),
    reopen: ({ ns }) => new LocalShellBackend({ rootDir: directory(ns) }),
    secrets: [base],
    profile: {
      directories: "real",
      symlinks: "reject",
      execute: { sharesFiles: true },
      durable: true,
      limits: { pathBytes: 3500 },
    },
  },
  VARIANT,
);
