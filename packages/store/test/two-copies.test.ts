import { createRequire } from "node:module";
import { StoreBackend } from "@fs/store";
import type * as langgraph from "@langchain/langgraph";
import { expect, test, vi } from "vitest";

test("a store of another copy of LangGraph is searched by directory as well", async () => {
  const other = createRequire(import.meta.url)("@langchain/langgraph") as typeof langgraph;
  const store = new other.InMemoryStore();
  const files = new StoreBackend({ store, namespace: ["copies"] });
  const bytes = new TextEncoder().encode("x");
  await files.uploadFiles(Array.from({ length: 40 }, (_, n) => [`/d${n % 4}/${n}.txt`, bytes]));
  const batch = vi.spyOn(store, "batch");
  expect((await files.ls("/d1")).files).toHaveLength(10);
  const answers = (await batch.mock.results[0]?.value) as unknown[][];
  expect(batch).toHaveBeenCalledTimes(1);
  expect(answers.flat().filter((item) => item !== null)).toHaveLength(10);
});
