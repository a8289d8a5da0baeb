import { MemoryBackend } from "@fs/protocol";

const backend = new MemoryBackend();

export default { name: "shares files", create: () => backend };
