import type { Case } from "../case.js";
import { capabilityCases } from "./capability-cases.js";
import { editRaces } from "./edit-races.js";
import { guardCases } from "./guard-cases.js";
import { pathCases } from "./path-cases.js";
import { readRaces } from "./read-races.js";
import { writeRaces } from "./write-races.js";

/** The cases that need more than data. */
export function codeCases(): Case[] {
  return [
    ...guardCases,
    ...capabilityCases,
    ...pathCases,
    ...editRaces,
    ...writeRaces,
    ...readRaces,
  ];
}
