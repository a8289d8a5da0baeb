/**
 * For authors of backends: the volume interface, its error, and the rules that a push-down hook must reproduce.
 *
 * @module
 */
export { isCode, isUncertain } from "./errors/certainty.js";
export { VolumeError, type VolumeErrorOptions } from "./errors/volume-error.js";
export { expandBraces } from "./glob/brace-expansion.js";
export { type PathGlob, compileFilter, compileGlob, type CompiledGlob } from "./glob/path-glob.js";
export {
  canonicalFilePath,
  canonicalPath,
  type Canonical,
  isCanonicalFilePath,
  MAX_PATH_BYTES,
  MAX_SEGMENT_BYTES,
} from "./paths/path.js";
export {
  ancestorsOf,
  basenameOf,
  comparePaths,
  isWithin,
  joinPath,
  parentOf,
  prefixOf,
  segmentsOf,
} from "./paths/segments.js";
export { resolvePath } from "./paths/relative.js";
export { namespaceText } from "./paths/namespace.js";
export { withoutHooks } from "./spi/without-hooks.js";
export type * from "./spi/volume.js";
export { VolumeBackend, type VolumeBackendOptions } from "./backend/volume-backend.js";
export { childEntries } from "./author/child-entries.js";
export {
  classify,
  type Classified,
  decodeText,
  encodeText,
  isTextBytes,
  textOf,
} from "./text/classify.js";
export { applyEdits, type EditOutcome, type EditRefusal, type Replacement } from "./text/edit.js";
export { binaryTypeOf, extensionOf, isMediaPath, mediaTypeOf, textTypeOf } from "./text/mime.js";
export {
  compileLinePattern,
  type LineHit,
  type LinePattern,
  searchLines,
  withoutCarriageReturn,
} from "./text/line-pattern.js";
export {
  countByteLines,
  countNewlines,
  joinedBytes,
  LinePager,
  type LineRange,
  NEWLINE,
  pageOfBytes,
} from "./text/line-pager.js";
export { countLines, DEFAULT_LIMIT } from "./text/page.js";
export { watchPath, type WatchCall } from "./author/watch-path.js";
export { ChangeQueue, MAX_WAITING_CHANGES } from "./author/change-queue.js";
export { KeyedQueue } from "./concurrency/keyed-queue.js";
export { onAbort } from "./concurrency/on-abort.js";
export { mapConcurrently } from "./concurrency/map-concurrently.js";
export { outcomeUnknown, type Wait, type WaitEnd, waitFor } from "./concurrency/wait-for.js";
export { outcomeOf } from "./concurrency/outcome-of.js";
export { refuseAborted } from "./concurrency/refuse-aborted.js";
export { isSignal } from "./call/options.js";
export { ownArguments } from "./call/own-arguments.js";
export { checkedConfiguration, type ConfigurationKind } from "./call/configuration.js";
export { failureFromThrown } from "./errors/from-thrown.js";
export { failure, quote } from "./errors/messages.js";
export { warnOnce } from "./call/warn-once.js";
export { digestOf } from "./host/digest.js";
export { emitWarning } from "./host/emit-warning.js";
export { utf8Length } from "./host/utf8-length.js";
export { bytesOfFileData } from "./border/file-data.js";
export {
  type FileFormat,
  type StoredFile,
  storedBytesOf,
  storedCreatedAt,
  storedFileOf,
  storedFileWith,
  storedModifiedAt,
  storedSizeOf,
  storedTextOf,
  storedVersionOf,
  timeAfter,
} from "./author/stored-file.js";
export { searchTexts } from "./author/search-texts.js";
export type { Failure } from "./types/outcome.js";
export { statOf } from "./author/stat-of.js";
export {
  loadFile,
  type LoadedFile,
  storeFile,
  updateFile,
  updateText,
} from "./author/whole-file.js";
export { removeFile } from "./author/remove-file.js";
