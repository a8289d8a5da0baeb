import { type Filesystem, MemoryBackend } from "@fs/protocol";
import {
  type GivenSettings,
  type KnownFiles,
  sessionFiles,
  textOf,
  type ToolAnswer,
  type ToolName,
  TOOLS,
  toolSettings,
} from "@fs/tools";

/** A backend in memory with these files. */
export async function seeded(files: Record<string, string>): Promise<MemoryBackend> {
  const backend = new MemoryBackend();
  for (const [path, content] of Object.entries(files)) await backend.write(path, content);
  return backend;
}

/** Calls tools over one backend in one session. */
export function session(
  backend: Filesystem,
  settings: GivenSettings = {},
  known: KnownFiles = sessionFiles(),
) {
  const call = (name: ToolName, args: unknown): Promise<ToolAnswer> =>
    TOOLS[name].call(args, { backend, options: {}, settings: toolSettings(settings), known });
  const text = async (name: ToolName, args: unknown): Promise<string> =>
    textOf(await call(name, args));
  return { call, text };
}
