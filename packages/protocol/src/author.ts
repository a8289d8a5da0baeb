/**
 * For authors of backends: the volume interface, the backend above it, its error, its paths and its configuration.
 *
 * @module
 */
export type * from "./spi/volume.js";
export { VolumeBackend, type VolumeBackendOptions } from "./backend/volume-backend.js";
export { childEntries } from "./author/child-entries.js";
export { inBatches, listingOf } from "./author/listing-of.js";
export { TemporaryNames } from "./author/temporary-names.js";
export { isCode, isUncertain, isUncertainCode } from "./errors/certainty.js";
export { errorKind, failureFromThrown } from "./errors/from-thrown.js";
export { quote } from "./errors/messages.js";
export { partlyRemoved } from "./errors/partly-removed.js";
export { VolumeError, type VolumeErrorOptions } from "./errors/volume-error.js";
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
export { pathsBelow } from "./paths/paths-below.js";
export { namespaceText } from "./paths/namespace.js";
export { decodeText, encodeText } from "./text/classify.js";
export { checkedConfiguration, type ConfigurationKind } from "./call/configuration.js";
export { guardListener } from "./call/guard-listener.js";
export { ownArguments } from "./call/own-arguments.js";
export { warnOnce } from "./call/warn-once.js";
export { emitWarning } from "./host/emit-warning.js";
