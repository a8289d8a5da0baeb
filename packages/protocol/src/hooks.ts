/**
 * The rules that a push-down hook of a volume must reproduce: globs, the lines of a search, edits, pages, and what counts as
 * text.
 *
 * @module
 */
export { expandBraces } from "./glob/brace-expansion.js";
export { type PathGlob, compileFilter, compileGlob, type CompiledGlob } from "./glob/path-glob.js";
export { classify, type Classified, isTextBytes, textOf } from "./text/classify.js";
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
