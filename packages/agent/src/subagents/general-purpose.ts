import type { LooseParams } from "../params.js";
import { GENERAL_PURPOSE_SUBAGENT, type SubAgent } from "./types.js";

/**
 * The general-purpose subagent with the app's changes and the parent's skills; none where it is switched off, or one of the app
 * has its name.
 */
export function generalPurposeOf({
  subagents = [],
  generalPurpose,
  skills,
}: LooseParams): SubAgent | undefined {
  const { name } = GENERAL_PURPOSE_SUBAGENT;
  if (generalPurpose === false || subagents.some((one) => one.name === name)) return undefined;
  const general: SubAgent = { ...GENERAL_PURPOSE_SUBAGENT, ...generalPurpose };
  // A fork has its parent's without saying so.
  return skills && general.skills === undefined && general.mode !== "fork"
    ? { ...general, skills }
    : general;
}
