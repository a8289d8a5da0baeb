import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { memoryHandlers } from "@fs/anthropic";
import type { Filesystem } from "@fs/protocol";
import type { Storage } from "@fs/test-servers/storages";
import { describe, expect, it } from "vitest";

export type Handlers = ReturnType<typeof memoryHandlers>;
type Command = { [Name in keyof Handlers]: Parameters<Handlers[Name]>[0] };

/** A command without the name that the API gives it twice. */
export async function call<Name extends keyof Handlers>(
  handlers: Handlers,
  command: Name,
  input: Omit<Command[Name], "command">,
): Promise<unknown> {
  const handler = handlers[command] as (input: unknown) => unknown;
  return Reflect.apply(handler, handlers, [{ command, ...input }]);
}

/** The memory over a backend answers as the reference over a directory. */
export function answersAsTheirs({ name, create, folder }: Storage<Filesystem>): void {
  describe(`the memory over ${name}`, () => {
    it("answers every command with the texts of the reference", async () => {
      const ours = memoryHandlers(create());
      const theirs = await BetaLocalFilesystemMemoryTool.init(folder());
      const both = async <Name extends keyof Handlers>(
        command: Name,
        input: Omit<Command[Name], "command">,
      ): Promise<void> => {
        const said = (handlers: Handlers): Promise<unknown> =>
          call(handlers, command, input).catch((error: Error) => `! ${error.message}`);
        expect([command, input, await said(ours)]).toEqual([command, input, await said(theirs)]);
      };
      const path = "/memories/shared/notes.md";
      await both("view", { path });
      await both("create", { path, file_text: "one\ntwo\nthree\n" });
      await both("create", { path, file_text: "again" });
      await both("view", { path });
      await both("view", { path, view_range: [2, 3] });
      await both("view", { path, view_range: [2, -1] });
      await both("str_replace", { path, old_str: "two", new_str: "$& 2" });
      await both("str_replace", { path, old_str: "four", new_str: "4" });
      await both("str_replace", { path, old_str: "e", new_str: "E" });
      await both("insert", { path, insert_line: 0, insert_text: "zero\n" });
      await both("insert", { path, insert_line: 99, insert_text: "far" });
      await both("insert", { path: "/memories/none.md", insert_line: 0, insert_text: "x" });
      await both("view", { path });
      await both("create", { path: "/memories/b.md", file_text: "b" });
      await both("rename", { old_path: path, new_path: "/memories/b.md" });
      await both("rename", { old_path: path, new_path: "/memories/deep/er/c.md" });
      await both("rename", { old_path: path, new_path: "/memories/d.md" });
      await both("delete", { path: "/memories/b.md" });
      await both("delete", { path: "/memories/b.md" });
      await both("delete", { path: "/memories" });
      await both("view", { path: "/elsewhere" });
    });

    it("keeps all of 20 replacements that run together, in two instances", async () => {
      const backend = create();
      const instances = [memoryHandlers(backend), memoryHandlers(backend)];
      const path = "/memories/counters.md";
      const lines = Array.from({ length: 20 }, (_, index) => `[${index}]`);
      await backend.write(path, lines.join("\n"));
      const answers = await Promise.all(
        lines.map((line, index) =>
          call(instances[index % 2]!, "str_replace", { path, old_str: line, new_str: `${line}!` }),
        ),
      );
      expect(answers).toHaveLength(20);
      const { content } = await backend.read(path);
      expect(content).toBe(lines.map((line) => `${line}!`).join("\n"));
    });
  });
}
