import { StateBackend } from "@fs/state";
import { fill } from "../operations.js";
import type { Subject } from "../subject.js";

/** Files on their way into the state of a graph: what its volume costs before any step is kept. */
export const stateVolume: Subject = {
  suite: "state-volume",
  title: "LangGraph state, before a step ends",
  sides: { ours: "StateBackend of @fs/state, outside a graph" },
  clock: "cpu",
  mostFiles: 100_000,
  open: async (files) => {
    const ours = new StateBackend();
    await fill(ours, files);
    return { ours, close: async () => {} };
  },
};
