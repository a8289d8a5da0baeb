import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { initChatModel } from "langchain";
import { ScriptedModel } from "./scripted-model.js";
import { surveySteps } from "./survey.js";

/** Who drives the agent. */
export interface Driver {
  readonly model: BaseChatModel;
  readonly description: string;
}

/** The model named by `FS_DEMO_MODEL=provider:model`, else the scripted one, which needs no network. */
export async function chooseModel(environment: NodeJS.ProcessEnv): Promise<Driver> {
  const name = environment["FS_DEMO_MODEL"];
  if (name === undefined || name === "") {
    return { model: new ScriptedModel(surveySteps), description: "a scripted model, offline" };
  }
  return { model: await initChatModel(name), description: name };
}
