import * as mastra from "@mastra/core/workspace";
import { mastraFilesystem } from "@fs/mastra";
import type { Filesystem } from "@fs/protocol";
import type { Storage } from "@fs/test-servers/storages";
import { expect, it } from "vitest";

type Run = (tool: string, input: object) => Promise<unknown>;

/** The tools of a Mastra workspace, as its agent calls them. A failure is answered as `! name: message`. */
export async function toolsOf(
  workspace: Parameters<typeof mastra.createWorkspaceTools>[0],
): Promise<Run> {
  const tools = await mastra.createWorkspaceTools(workspace);
  return async (name, input) => {
    const tool = tools[`mastra_workspace_${name}`];
    if (tool?.execute === undefined) throw new Error(`There is no tool ${name}.`);
    try {
      return await tool.execute(input, { workspace });
    } catch (error) {
      return `! ${error instanceof Error ? error.name : "?"}: ${String(error)}`;
    }
  };
}

/** What an agent does in a workspace, and what it then finds. */
async function session(workspace: mastra.Workspace): Promise<unknown[]> {
  const run = await toolsOf(workspace);
  const said: unknown[] = [];
  const calls: ReadonlyArray<readonly [string, object]> = [
    ["write_file", { path: "notes/a.md", content: "one\ntwo\nTODO three\n" }],
    ["write_file", { path: "notes/a.md", content: "again", overwrite: false }],
    ["read_file", { path: "notes/a.md" }],
    ["edit_file", { path: "notes/a.md", old_string: "two", new_string: "2" }],
    ["edit_file", { path: "notes/a.md", old_string: "none", new_string: "2" }],
    ["edit_file", { path: "notes/none.md", old_string: "a", new_string: "b" }],
    ["read_file", { path: "notes/a.md", showLineNumbers: false }],
    ["mkdir", { path: "empty/deep" }],
    ["write_file", { path: "notes/deep/b.ts", content: "export const todo = 1; // TODO\n" }],
    ["write_file", { path: "empty/deep/c.md", content: "no longer\n" }],
    ["edit_file", { path: "empty/deep/c.md", old_string: "no", new_string: "any" }],
    ["list_files", { path: "." }],
    ["list_files", { path: ".", maxDepth: 5 }],
    ["list_files", { path: "none" }],
    ["grep", { pattern: "TODO" }],
    ["grep", { pattern: "todo", caseSensitive: false, contextLines: 1 }],
    ["grep", { pattern: "t(wo|hree)$" }],
    ["grep", { pattern: "TODO", path: "**/*.ts" }],
    ["file_stat", { path: "notes/none.md" }],
    ["delete", { path: "notes/a.md" }],
    ["delete", { path: "notes/a.md" }],
    ["read_file", { path: "notes/a.md" }],
    ["delete", { path: "notes", recursive: true }],
    ["list_files", { path: "." }],
  ];
  for (const [tool, input] of calls) said.push([tool, input, await run(tool, input)]);
  return said;
}

/** A workspace over a backend answers as one over a directory of Mastra's own. */
export function answersAsTheirs({ name, create, folder }: Storage<Filesystem>): void {
  it(`runs the tools of a workspace over ${name} as over its own directory`, async () => {
    const local = new mastra.LocalFilesystem({ basePath: folder() });
    const theirs = new mastra.Workspace({ filesystem: local });
    await theirs.init();
    const ours = new mastra.Workspace({ filesystem: mastraFilesystem(mastra, create()) });
    await ours.init();
    expect(await session(ours)).toEqual(await session(theirs));
  });
}
