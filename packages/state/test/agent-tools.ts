import type { BackendProtocolV2 } from "@fs/protocol";
import { tool, type StructuredTool } from "langchain";
import { z } from "zod/v4";

/** The few tools an agent needs to work on files, over any backend: results as JSON. */
export function fileTools(backend: BackendProtocolV2): StructuredTool[] {
  const path = z.string();
  const write = tool(
    async ({ file_path, content }) => JSON.stringify(await backend.write(file_path, content)),
    {
      name: "write_file",
      description: "Writes a file.",
      schema: z.object({ file_path: path, content: z.string() }),
    },
  );
  const edit = tool(
    async ({ file_path, old_string, new_string }) =>
      JSON.stringify(await backend.edit(file_path, old_string, new_string)),
    {
      name: "edit_file",
      description: "Edits a file.",
      schema: z.object({ file_path: path, old_string: z.string(), new_string: z.string() }),
    },
  );
  const read = tool(async ({ file_path }) => JSON.stringify(await backend.read(file_path)), {
    name: "read_file",
    description: "Reads a file.",
    schema: z.object({ file_path: path }),
  });
  const remove = tool(async ({ file_path }) => JSON.stringify(await backend.delete?.(file_path)), {
    name: "delete_file",
    description: "Deletes a file.",
    schema: z.object({ file_path: path }),
  });
  return [write, edit, read, remove];
}

/** A tool call of a scripted model. */
export function call(name: string, args: Record<string, unknown>, id = `${name}-${++calls}`) {
  return { name, args, id, type: "tool_call" as const };
}

let calls = 0;
