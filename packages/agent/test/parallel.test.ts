import { MemoryBackend } from "@fs/protocol";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { answerAll, delegating, expectedFiles, FILE, lines, start } from "./support/delegation.js";

describe.each([8, 20])("H12, H13: %i subagents on one file", (count) => {
  test("keep every acknowledged edit", async () => {
    const agent = delegating({ checkpointer: new MemorySaver(), count });
    const { files, reports } = await answerAll(
      () => agent,
      "1",
      "together",
      await start(agent, "1"),
    );
    expect(files).toEqual(expectedFiles(count));
    expect(reports.filter((report) => report.includes("Edited"))).toHaveLength(count);
  });

  test.each(["together", "one by one"] as const)(
    "with questions answered %s, each time by a new agent",
    async (how) => {
      const checkpointer = new MemorySaver();
      const build = () => delegating({ checkpointer, count, asks: (at) => at % 2 === 0 });
      const { files, asked } = await answerAll(build, "1", how, await start(build(), "1"));
      expect(asked).toBe(count / 2);
      expect(files).toEqual(expectedFiles(count));
    },
  );
});

test("on a backend outside the state as well", async () => {
  const backend = new MemoryBackend();
  const agent = delegating({ checkpointer: new MemorySaver(), count: 8, backend });
  await start(agent, "1");
  expect((await backend.read(FILE, 0, 100)).content).toBe(lines(8, "done"));
});
