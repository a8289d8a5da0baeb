import { annotationsOf, inputSchemaOf, outputSchemaOf, TOOLS } from "@fs/tools";
import { describe, expect, it } from "vitest";

const listed = Object.values(TOOLS).map((tool) => ({
  name: tool.name,
  description: tool.description,
  inputSchema: inputSchemaOf(tool),
  outputSchema: outputSchemaOf(tool),
  annotations: annotationsOf(tool.effects),
}));

describe("the schemas of all tools", () => {
  it("cost at most 8,000 bytes together, with outputs and annotations", () => {
    expect(listed).toHaveLength(14);
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(8000);
  });

  it("name every argument, and require only what has no default", () => {
    for (const { name, inputSchema } of listed) {
      expect([name, inputSchema.type]).toEqual([name, "object"]);
      expect(Object.keys(inputSchema.properties ?? {})).not.toEqual([]);
    }
    const edit = listed.find(({ name }) => name === "edit_file");
    expect(edit?.inputSchema.required).toEqual(["file_path", "old_string"]);
    const execute = listed.find(({ name }) => name === "execute");
    expect(execute?.inputSchema.properties?.["timeout"]).toMatchObject({
      type: ["number", "null"],
    });
  });

  it("say of each tool what it can do", () => {
    const readers = Object.values(TOOLS).filter(({ effects }) => effects.readOnly);
    expect(readers.map(({ name }) => name)).toEqual([
      "ls",
      "tree",
      "stat",
      "read_file",
      "read_files",
      "glob",
      "grep",
    ]);
    expect(annotationsOf(TOOLS.delete.effects)).toEqual({
      readOnlyHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(annotationsOf(TOOLS.execute.effects)).toEqual({ readOnlyHint: false });
  });
});
