import type { ScriptedModel } from "./scripted-model.js";

/** A subagent with this model. */
export const worker = (model: ScriptedModel, more: object = {}) => ({
  name: "worker",
  description: "Works.",
  model,
  ...more,
});
