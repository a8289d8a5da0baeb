import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { overLocalStorages } from "@fs/test-servers/storages";
import { answersAsTheirs } from "./shells.js";

const backends = { CompositeBackend, FilesystemBackend, MemoryBackend };
overLocalStorages("a shell", backends, "/agent/", answersAsTheirs);
