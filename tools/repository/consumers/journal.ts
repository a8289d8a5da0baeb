import { fileJournal, withJournal } from "@fs/journal";
import { MemoryBackend } from "@fs/protocol";

const files = withJournal(new MemoryBackend(), { store: fileJournal(new MemoryBackend()) });
await files.write("/a.txt", "hello");
const { records, error } = await files.journal.history("/a.txt");
if (records?.length !== 1) throw new Error(error ?? `${records?.length} records`);
