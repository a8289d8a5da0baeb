import { EDIT_ROWS, MULTI_EDIT_ROWS } from "./edit-rows.js";
import {
  DOWNLOAD_ROW,
  LS_ROW,
  READ_PAGE_ROW,
  READ_RAW_ROW,
  READ_ROW,
  STAT_ROW,
} from "./read-rows.js";
import { relocationRows } from "./relocation-rows.js";
import { GLOB_ROW, GREP_ROW } from "./search-rows.js";
import { DELETE_ROW, UPLOAD_ROW, WRITE_ROW } from "./store-rows.js";
import type { PathMethod, Row } from "./row.js";

/** The rows of every method. A method of the protocol that has none does not compile. */
const ROWS_OF: Readonly<Record<PathMethod, readonly Row[]>> = {
  ls: [LS_ROW],
  read: [READ_ROW, READ_PAGE_ROW],
  readRaw: [READ_RAW_ROW],
  stat: [STAT_ROW],
  write: [WRITE_ROW],
  edit: EDIT_ROWS,
  multiEdit: MULTI_EDIT_ROWS,
  delete: [DELETE_ROW],
  move: relocationRows("move"),
  copy: relocationRows("copy"),
  uploadFiles: [UPLOAD_ROW],
  downloadFiles: [DOWNLOAD_ROW],
  glob: [GLOB_ROW],
  grep: [GREP_ROW],
};

/** Every row of the matrix: each method, by each of the paths it takes. */
export const ROWS: readonly Row[] = Object.values(ROWS_OF).flat();
