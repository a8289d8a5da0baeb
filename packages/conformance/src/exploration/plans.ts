import { planEdit, planMultiEdit } from "./plan-edits.js";
import { planGlob, planLs } from "./plan-listings.js";
import { planDownload, planRead, planReadRaw, planStat } from "./plan-reads.js";
import { planIllFormed, planRefusal } from "./plan-refusals.js";
import { planDelete, planRelocation } from "./plan-relocations.js";
import { planGrep } from "./plan-searches.js";
import { planFill, planUpload, planWrite } from "./plan-stores.js";
import type { Plan } from "./planned-call.js";

/** Kinds of calls by name. */
export const PLANS = {
  write: planWrite,
  upload: planUpload,
  fill: planFill,
  edit: planEdit,
  multiEdit: planMultiEdit,
  delete: planDelete,
  relocate: planRelocation,
  read: planRead,
  readRaw: planReadRaw,
  stat: planStat,
  download: planDownload,
  ls: planLs,
  glob: planGlob,
  grep: planGrep,
  refusal: planRefusal,
  illFormed: planIllFormed,
} as const satisfies Readonly<Record<string, Plan>>;

export type Kind = keyof typeof PLANS;

/** How often each kind comes, as shares of the sum. */
export const SHARES: Readonly<Record<Kind, number>> = {
  write: 10,
  upload: 10,
  fill: 1,
  edit: 14,
  multiEdit: 6,
  delete: 5,
  relocate: 9,
  read: 8,
  readRaw: 3,
  stat: 4,
  download: 4,
  ls: 6,
  glob: 8,
  grep: 10,
  refusal: 4,
  illFormed: 2,
};

/** The kinds that may change something: what is planned beside other calls. */
export const CHANGES: readonly Kind[] = [
  "write",
  "upload",
  "edit",
  "multiEdit",
  "delete",
  "relocate",
];
