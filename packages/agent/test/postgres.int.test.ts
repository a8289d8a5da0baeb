import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { StoreBackend } from "@fs/store";
import { buildProjects } from "@fs/test-servers/built";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDeepAgent } from "@fs/agent";
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { answerAll, delegating, expectedFiles, start } from "./support/delegation.js";
import { inThread, say } from "./support/results.js";
import { ScriptedModel, write } from "./support/scripted-model.js";

describeWithServer("postgres", "an agent over Postgres", () => {
  let server: TestServer<PostgresInfo>;
  let saver: PostgresSaver;
  let store: PostgresStore;

  beforeAll(async () => {
    server = await startPostgres();
    saver = PostgresSaver.fromConnString(server.info.url);
    store = PostgresStore.fromConnString(server.info.url);
    await saver.setup();
    await store.setup();
  });
  afterAll(async () => {
    await saver.end();
    await store.stop();
    await server.stop();
  });

  test.each([8, 20])("H12: %i subagents on one file", async (count) => {
    const agent = delegating({ checkpointer: saver, count });
    const thread = `plain-${count}`;
    const { files } = await answerAll(() => agent, thread, "together", await start(agent, thread));
    expect(files).toEqual(expectedFiles(count));
  });

  test.each(["together", "one by one"] as const)(
    "H13: 8 subagents whose questions are answered %s, each time after a restart",
    async (how) => {
      // A saver of its own each time, as in another process.
      const savers: PostgresSaver[] = [];
      const build = () => {
        const checkpointer = PostgresSaver.fromConnString(server.info.url);
        savers.push(checkpointer);
        return delegating({ checkpointer, count: 8, asks: (at) => at % 2 === 0 });
      };
      const { files, asked } = await answerAll(build, how, how, await start(build(), how));
      expect(asked).toBe(4);
      expect(files).toEqual(expectedFiles(8));
      await Promise.all(savers.map(async (one) => one.end()));
    },
  );

  test.each([8, 20])(
    "H13: of %i subagents half are killed with their process; a new process ends the work once",
    async (count) => {
      buildProjects("packages/agent");
      const run = (mode: string) =>
        spawn(
          process.execPath,
          [
            join(import.meta.dirname, "fixtures", "killed-agent.mjs"),
            server.info.url,
            `killed-${count}`,
            String(count),
            mode,
          ],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
      const first = run("hang");
      let finished = 0;
      for await (const line of createInterface({ input: first.stdout }))
        if (line.startsWith("finished") && ++finished === count / 2) first.kill("SIGKILL");
      if (first.exitCode === null && first.signalCode === null) await once(first, "exit");
      expect(first.signalCode).toBe("SIGKILL");

      const second = run("resume");
      const printed: string[] = [];
      for await (const line of createInterface({ input: second.stdout })) printed.push(line);
      const files = printed.find((line) => line.startsWith("files "))?.slice("files ".length);
      expect(JSON.parse(files ?? "{}")).toEqual(expectedFiles(count));
    },
  );

  test("H43: memory in a store is there in another thread, with another store of the same database", async () => {
    const backend = (from: PostgresStore) =>
      new CompositeBackend(new StateBackend(), {
        "/memories/": new StoreBackend({ store: from, namespace: ["ada"] }),
      });
    const path = "/memories/AGENTS.md";
    const writing = new ScriptedModel([[write(path, "likes tea")], "saved"]);
    await createDeepAgent({
      model: writing,
      checkpointer: saver,
      backend: backend(store),
      memory: [path],
    }).invoke(say("remember"), inThread("memory-1"));
    const other = PostgresStore.fromConnString(server.info.url);
    const reading = new ScriptedModel([]);
    await createDeepAgent({
      model: reading,
      checkpointer: saver,
      backend: backend(other),
      memory: [path],
    }).invoke(say("what do I like?"), inThread("memory-2"));
    await other.stop();
    expect(reading.prompt).toContain("likes tea");
  });
});
