import { StateBackend } from "@fs/state";
import { createDeepAgent } from "deepagents";
import { MemorySaver } from "@langchain/langgraph";
import { AIMessage, fakeModel } from "langchain";
import { expect, test } from "vitest";
import { call } from "./agent-tools.js";

const state = {
  files: {
    "/a.txt": {
      content: ["one", "two"],
      created_at: "2020-01-01T00:00:00Z",
      modified_at: "2020-01-01T00:00:00Z",
    },
    "/d/b.txt": {
      content: "b",
      mimeType: "text/plain",
      created_at: "2020-01-01T00:00:00Z",
      modified_at: "2020-01-01T00:00:00Z",
    },
  },
};

test("a backend with a runtime hands its changes to the caller, and warns once", async () => {
  const warnings: string[] = [];
  const listen = (warning: Error & { code?: string }) => warnings.push(warning.code ?? "");
  process.on("warning", listen);
  const backend = new StateBackend({ state }, { fileFormat: "v1" });
  void new StateBackend({ state });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", listen);
  expect(warnings.filter((code) => code === "FS_DEP_STATE_RUNTIME")).toHaveLength(1);

  expect((await backend.read("/a.txt")).content).toBe("one\ntwo");
  expect(await backend.edit("/a.txt", "two", "2")).toMatchObject({
    path: "/a.txt",
    occurrences: 1,
    filesUpdate: { "/a.txt": { content: ["one", "2"] } },
  });
  const written = await backend.write("/c.txt", "c");
  expect(Object.keys(written.filesUpdate ?? {})).toEqual(["/c.txt"]);
  expect(await backend.write("/c.txt", "again")).not.toHaveProperty("filesUpdate");
  expect(await backend.delete("/d")).toEqual({ path: "/d", filesUpdate: { "/d/b.txt": null } });
  expect(await backend.uploadFiles([["/u.txt", new TextEncoder().encode("u")]])).toMatchObject({
    filesUpdate: { "/u.txt": { content: ["u"] } },
  });
  expect(state.files["/a.txt"].content).toEqual(["one", "two"]);
});

test("a factory works in deepagents", async () => {
  const agent = createDeepAgent({
    model: fakeModel()
      .respondWithTools([call("write_file", { file_path: "/a.txt", content: "one" })])
      .respondWithTools([
        call("edit_file", { file_path: "/a.txt", old_string: "one", new_string: "two" }),
      ])
      .respond(new AIMessage("done")),
    backend: (runtime) => new StateBackend(runtime),
    checkpointer: new MemorySaver(),
  });
  const { files } = await agent.invoke(
    { messages: [{ role: "user", content: "go" }] },
    { configurable: { thread_id: "1" } },
  );
  expect(files).toMatchObject({ "/a.txt": { content: "two" } });
});
