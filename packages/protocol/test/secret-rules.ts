import { type FilesystemPermission, MemoryBackend } from "@fs/protocol";

/** Nothing below `/secrets` may be read, changed or removed. */
export const RULES: FilesystemPermission[] = [
  { operations: ["read", "write", "delete"], paths: ["/secrets/**"], mode: "deny" },
];

/** Memory with these files. */
export async function filled(files: Record<string, string>): Promise<MemoryBackend> {
  const backend = new MemoryBackend();
  for (const [path, content] of Object.entries(files)) await backend.write(path, content);
  return backend;
}
