/**
 * For backends that keep each file as a JSON record, as LangGraph's state and stores do: the record of `deepagents`, read and
 * written, and a search over texts in memory.
 *
 * @module
 */
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
  storedVolumeFile,
  timeAfter,
} from "./author/stored-file.js";
export { searchTexts } from "./author/search-texts.js";
export { bytesOfFileData } from "./border/file-data.js";
export { digestOf } from "./host/digest.js";
export { isoTimeOf } from "./host/iso-time.js";
export { utf8Length } from "./host/utf8-length.js";
