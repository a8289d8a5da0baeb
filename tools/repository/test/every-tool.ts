import { expect } from "vitest";

/** Calls a tool by its name, fails when the call does, and returns the JSON of its answer. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<string>;

/** Drives every tool through a folder that is not there yet, and leaves nothing behind. */
export async function checkEveryTool(call: CallTool, folder: string): Promise<void> {
  const file = `${folder}/a.txt`;
  await call("write_file", { file_path: file, content: "one\ntwo\n" });
  expect(await call("read_file", { file_path: file })).toContain("1→one");
  await call("edit_file", { file_path: file, old_string: "one", new_string: "1" });
  const edits = [{ old_string: "two", new_string: "2" }];
  await call("multi_edit", { file_path: file, edits });
  await call("copy_file", { source: file, destination: `${folder}/b.txt` });
  await call("move_file", { source: `${folder}/b.txt`, destination: `${folder}/c.txt` });
  expect(await call("ls", { path: folder })).toContain("c.txt (4 B)");
  expect(await call("tree", { path: folder })).toContain("c.txt");
  expect(await call("stat", { file_path: file })).toContain("size: 4");
  expect(await call("read_files", { file_paths: [file] })).toContain("1→1");
  expect(await call("glob", { pattern: "*.txt", path: folder })).toContain("c.txt");
  expect(await call("grep", { pattern: "2", path: folder })).toContain("c.txt");
  await call("delete", { file_path: folder });
}

/** Moves one file through every route, and reads it where it ends. */
export async function checkMoves(call: CallTool, name: string): Promise<void> {
  await call("write_file", { file_path: `/${name}`, content: "across" });
  await call("move_file", { source: `/${name}`, destination: `/db/${name}` });
  await call("move_file", { source: `/db/${name}`, destination: `/s3/${name}` });
  expect(await call("read_file", { file_path: `/s3/${name}` })).toContain("across");
}
