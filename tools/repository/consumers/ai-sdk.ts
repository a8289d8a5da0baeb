import { fileTools } from "@fs/ai-sdk";
import { MemoryBackend } from "@fs/protocol";

const names = Object.keys(fileTools(new MemoryBackend()));
if (!names.includes("read_file")) throw new Error(`tools: ${names.join(", ")}`);
