/**
 * Change sets over any filesystem backend.
 *
 * @module
 */
export { type Change, type ChangeKind, type ChangeSet, kindOf, sameContent, type Side } from "./change.js";
export {
  callerOf,
  changeSet,
  type ChangeSetOptions,
  formatChangeSet,
  invert,
  parseChangeSet,
  pathFilter,
} from "./change-set.js";
export { hashOf, isHash, sideOf } from "./hash.js";
export { type LineChange, lineChanges } from "./text/line-changes.js";
export { linesOf } from "./text/lines.js";
export { type FileChange, patchOf } from "./text/patch.js";
export { type MergeLabels, type MergeOutcome, mergeTexts } from "./text/three-way.js";
