import type { Case } from "../case.js";
import { guardCases } from "./guard-cases.js";
import { capabilityCases } from "./capability-cases.js";
import { pathCases } from "./path-cases.js";

/** The cases that need more than data. */
export function codeCases(): Case[] {
  return [...guardCases, ...capabilityCases, ...pathCases];
}
