import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import type { VolumeCall, VolumeFile, VolumePage } from "../spi/volume.js";
import { classifyFile, decodeText, isTextBytes } from "../text/classify.js";
import { isMediaPath, textTypeOf } from "../text/mime.js";
import { countLines, describePage, pageOf } from "../text/page.js";
import type { FileDataV2, ReadRawResult, ReadResult } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { getFile, missing } from "./find.js";

/** A page of a text file or a whole binary one. Throws `not_found`, `is_directory`, `invalid_range`. */
export async function readFile(
  { volume }: VolumeContext,
  path: string,
  offset: number,
  limit: number,
  call: VolumeCall,
): Promise<ReadResult> {
  if (volume.readPage !== undefined && !isMediaPath(path)) {
    const page = await volume.readPage(path, { ...call, offset, limit });
    // Bytes that are no text make the whole file binary, which only the generic path can answer.
    if (page !== undefined && isTextBytes(page.bytes)) return pageResult(path, page, offset);
  }
  const file = await getFile(volume, path, call);
  if (file === undefined) throw await missing(volume, path, call);
  const content = classifyFile(path, file);
  const { mimeType } = content;
  if (content.kind === "binary") {
    return { content: new Uint8Array(file.bytes), mimeType, version: file.version };
  }
  const page = pageOf(content.text, offset, limit);
  if (page === undefined) throw pastTheEnd(path, offset, countLines(content.text));
  return { ...page, mimeType, version: file.version };
}

function pageResult(path: string, page: VolumePage, offset: number): ReadResult {
  const { lines, totalLines, atEnd, version } = page;
  if (lines === 0 && offset > 0 && totalLines !== undefined && offset >= totalLines) {
    throw pastTheEnd(path, offset, totalLines);
  }
  const known = totalLines ?? Infinity;
  const { totalLines: total, ...position } = describePage(offset, lines, known);
  if (atEnd) delete position.nextOffset;
  return {
    content: decodeText(page.bytes),
    mimeType: textTypeOf(path),
    ...(total === Infinity ? {} : { totalLines: total ?? known }),
    ...position,
    ...(version === undefined ? {} : { version }),
  };
}

function pastTheEnd(path: string, offset: number, totalLines: number): VolumeError {
  const lines = totalLines === 1 ? "1 line" : `${totalLines} lines`;
  const hint = totalLines === 0 ? "" : ` Use an offset from 0 to ${totalLines - 1}.`;
  return new VolumeError(
    "invalid_range",
    `Offset ${offset} is past the end of ${quote(path)}, which has ${lines}.${hint}`,
  );
}

/** The whole file with type and times. Throws `not_found`, `is_directory`. */
export async function readRawFile(
  { volume }: VolumeContext,
  path: string,
  call: VolumeCall,
): Promise<ReadRawResult> {
  const file = await getFile(volume, path, call);
  if (file === undefined) throw await missing(volume, path, call);
  return { data: fileDataOf(path, file), version: file.version };
}

function fileDataOf(path: string, file: VolumeFile): FileDataV2 {
  const content = classifyFile(path, file);
  return {
    content: content.kind === "text" ? content.text : new Uint8Array(file.bytes),
    mimeType: content.mimeType,
    created_at: file.createdAt ?? file.modifiedAt,
    modified_at: file.modifiedAt,
  };
}
