/**
 * Staged changes over any filesystem backend.
 *
 * @module
 */
export { type ApplyReport, type ChangeSet, type PathReport, summaryOf } from "@fs/changes";
export type { CommitOptions, CommitReport } from "./commit.js";
export type { RebaseOptions, RebaseReport } from "./rebase.js";
export {
  type Selection,
  StagingBackend,
  type StagingOptions,
  withStaging,
} from "./staging-backend.js";
