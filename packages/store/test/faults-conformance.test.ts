import type { Faults } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { gate } from "@fs/test-servers";
import { InMemoryStore } from "@langchain/langgraph";
import type { Operation, OperationResults } from "@langchain/langgraph-checkpoint";
import { storeHarness } from "./store-harness.js";

type Mode = "none" | "cut" | "stall" | "lose" | "refuse" | "fill" | "read-only";

/** A store in memory that can fail as one on a server does: every call of a store is a batch. */
class FailingStore extends InMemoryStore {
  #mode: Mode = "none";
  #healed: Promise<void> = Promise.resolve();

  begin(mode: Mode): () => void {
    const { opened, open } = gate();
    this.#mode = mode;
    this.#healed = opened;
    return () => {
      this.#mode = "none";
      open();
    };
  }

  override async batch<Op extends readonly Operation[]>(
    operations: Op,
  ): Promise<OperationResults<Op>> {
    const mode = this.#mode;
    const stores = operations.some((one) => "value" in one && one.value !== null);
    const changes = operations.some((one) => "value" in one);
    if (mode === "stall") await this.#healed;
    if (mode === "cut") throw failure("ECONNREFUSED");
    if (mode === "refuse") throw failure("EACCES");
    if (mode === "fill" && stores) throw failure("ENOSPC");
    if (mode === "read-only" && changes) throw failure("EROFS");
    const results = await super.batch(operations);
    if (mode === "lose" && changes) throw failure("ECONNRESET");
    return results;
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code} 10.0.0.1:5432 password=hunter2`), { code });
}

const store = new FailingStore();
const faults: Faults = {
  cut: () => store.begin("cut"),
  stall: () => store.begin("stall"),
  loseAnswers: () => store.begin("lose"),
  refuse: () => store.begin("refuse"),
  fill: () => store.begin("fill"),
  readOnly: () => store.begin("read-only"),
};
conformance(
  {
    ...storeHarness("store that fails", () => store),
    faults: () => faults,
    secrets: ["10.0.0.1", "hunter2"],
  },
  { only: "fault/*" },
);
