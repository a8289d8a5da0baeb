import { MemoryBackend } from "@fs/protocol";

export default { name: "good", create: () => new MemoryBackend() };
