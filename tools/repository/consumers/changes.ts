import { applyChanges, blobStore, changeSet, sideOf } from "@fs/changes";
import { MemoryBackend } from "@fs/protocol";

const files = new MemoryBackend();
const blobs = blobStore(new MemoryBackend());
const after = new TextEncoder().encode("hello\n");
await blobs.put([after]);
const set = changeSet([{ path: "/a.txt", before: null, after: sideOf(after) }]);
const { paths } = await applyChanges(files, set, { blobs });
if (paths[0]?.status !== "applied") throw new Error(JSON.stringify(paths));
