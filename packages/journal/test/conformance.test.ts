import { wrapped } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { fileJournal, withJournal } from "@fs/journal";
import { MemoryBackend } from "@fs/protocol";

conformance(
  wrapped({ name: "memory", create: () => new MemoryBackend() }, "with a journal", (backend) =>
    withJournal(backend, { store: fileJournal(new MemoryBackend()) }),
  ),
);
