import { wrapped } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { fileJournal, withJournal } from "@fs/journal";
import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { BESIDE_MEMORY, VARIANT } from "@fs/test-servers/variants";

conformance(
  wrapped(
    {
      name: "memory that overwrites",
      create: () => new MemoryBackend({ writeMode: "overwrite" }),
      profile: { writeMode: "overwrite" },
    },
    "with a journal",
    (backend) => withJournal(backend, { store: fileJournal(new MemoryBackend()) }),
  ),
  BESIDE_MEMORY,
);
conformance(
  wrapped(
    { name: "memory", create: () => new MemoryBackend() },
    "behind a composite with a journal",
    (backend) =>
      withJournal(new CompositeBackend(backend, {}), { store: fileJournal(new MemoryBackend()) }),
  ),
  VARIANT,
);
