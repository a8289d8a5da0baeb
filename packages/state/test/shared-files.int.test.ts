import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { StateBackend } from "@fs/state";
import { buildProjects } from "@fs/test-servers/built";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { START, StateGraph, StateSchema } from "@langchain/langgraph";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesValue } from "@fs/state";
import { expectedLines, linesOf } from "./shared-graph.js";

const FIXTURE = join(import.meta.dirname, "fixtures", "killed-graph.mjs");

describeWithServer("postgres", "files in checkpoints of Postgres", () => {
  let server: TestServer<PostgresInfo>;

  beforeAll(async () => {
    server = await startPostgres();
    const saver = PostgresSaver.fromConnString(server.info.url);
    await saver.setup();
    await saver.end();
    // So that processes without a loader can run it. Quick when nothing has changed.
    buildProjects("packages/state");
  });
  afterAll(async () => {
    await server.stop();
  });

  test.each([2, 8])(
    "of %i subagents half are killed with their process; a new process has every line once",
    async (count) => {
      const run = (mode: string) =>
        spawn(process.execPath, [FIXTURE, server.info.url, `killed-${count}`, `${count}`, mode], {
          stdio: ["ignore", "pipe", "inherit"],
        });
      const first = run("hang");
      const acknowledged: string[] = [];
      let ended = 0;
      for await (const line of createInterface({ input: first.stdout })) {
        if (line.startsWith("acknowledged ")) acknowledged.push(line);
        if (line.startsWith("ended ")) ended++;
        // The other half has made two of its three steps.
        if (ended === count / 2 && acknowledged.length === count * 2.5) first.kill("SIGKILL");
      }
      if (first.exitCode === null && first.signalCode === null) await once(first, "exit");
      expect(first.signalCode).toBe("SIGKILL");

      const printed: string[] = [];
      for await (const line of createInterface({ input: run("resume").stdout })) printed.push(line);
      const file = printed.find((line) => line.startsWith("file "))?.slice("file ".length);
      expect(linesOf(JSON.parse(file ?? "null"))).toEqual(expectedLines(count));
    },
  );

  test("a turn of a long thread loads 40 checkpoints at most", async () => {
    let loads = 0;
    const saver = PostgresSaver.fromConnString(server.info.url);
    const load = saver.getTuple.bind(saver);
    // Its walk back to the last snapshot goes through here, one query a checkpoint.
    saver.getTuple = async (config) => {
      loads++;
      return load(config);
    };
    const files = new StateBackend();
    let turn = 0;
    const graph = new StateGraph(new StateSchema({ files: filesValue() }))
      .addNode("work", async () => {
        await files.write(`/${turn}.md`, "text");
        return {};
      })
      .addEdge(START, "work")
      .compile({ checkpointer: saver });
    const perTurn: number[] = [];
    for (; turn < 60; turn++) {
      loads = 0;
      await graph.invoke({}, { configurable: { thread_id: "long" } });
      perTurn.push(loads);
    }
    await saver.end();
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(40);
    // It would else be a count of nothing.
    expect(Math.min(...perTurn)).toBeGreaterThanOrEqual(1);
  });
});
