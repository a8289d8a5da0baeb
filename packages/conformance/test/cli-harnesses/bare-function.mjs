import { MemoryBackend } from "@fs/protocol";

export default () => new MemoryBackend();
