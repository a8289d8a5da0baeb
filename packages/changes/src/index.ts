/**
 * Change sets over any filesystem backend.
 *
 * @module
 */
export { applyChanges, type ApplyOptions } from "./apply/apply-changes.js";
export { intentLog, type IntentLog, type IntentLogOptions } from "./apply/intent-log.js";
export { type Lease, takeLease } from "./apply/lease.js";
export {
  type ApplyReport,
  type ApplyStatus,
  isDone,
  type PathReport,
  together,
} from "./apply/report.js";
export {
  type Change,
  type ChangeKind,
  type ChangeSet,
  kindOf,
  sameContent,
  type Side,
} from "./change.js";
export {
  callerOf,
  changeSet,
  type ChangeSetOptions,
  formatChangeSet,
  invert,
  isRecord,
  parseChangeSet,
  pathFilter,
} from "./change-set.js";
export { hashOf, isHash, sideOf } from "./hash.js";
export { blobFile, blobStore, type BlobStore, settleBlob } from "./store/blob-store.js";
export {
  codeOf,
  type FileAccess,
  fileAccess,
  type FileFacts,
  jsonBytes,
  jsonOf,
  type SeenFile,
  type StoreFile,
} from "./store/file-access.js";
export { type LineChange, lineChanges } from "./text/line-changes.js";
export { linesOf } from "./text/lines.js";
export { type FileChange, patchOf, textPatch } from "./text/patch.js";
export { summaryOf } from "./text/summary.js";
export { type MergeLabels, type MergeOutcome, mergeTexts } from "./text/three-way.js";
