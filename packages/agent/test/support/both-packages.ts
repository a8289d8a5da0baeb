import * as ours from "@fs/agent";
import * as theirs from "deepagents";
import { type Reply, ScriptedModel } from "./scripted-model.js";

/** The function of either package, under the type of deepagents: programs for it run with both. */
export const create = {
  ours: ours.createDeepAgent as unknown as typeof theirs.createDeepAgent,
  theirs: theirs.createDeepAgent,
};
export type Create = typeof theirs.createDeepAgent;

/** Both, by name. */
export const packages = [
  { name: "@fs/agent", createDeepAgent: create.ours },
  { name: "deepagents", createDeepAgent: create.theirs },
];

/** A model that says these things in order, and then that it is done. */
export const scripted = (...replies: readonly Reply[]): ScriptedModel => new ScriptedModel(replies);
