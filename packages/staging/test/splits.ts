import { type LeftOut, VARIANT } from "@fs/test-servers/variants";

/** Whether everything is run that takes long, see CONTRIBUTING.md. */
export const ALL = process.env["FS_TEST_ALL_STAGING"] === "1";

/** Where files begin: with everything, in the upper layer and also split between the layers; else split alone. */
export const SPLITS: readonly boolean[] = ALL ? [false, true] : [true];

/**
 * What storages other than memory leave out: whatever does not depend on where the two layers are, and what takes long on any
 * storage. Staging over memory runs all of it.
 */
export const STORED_ELSEWHERE: LeftOut =
  ALL || VARIANT.skip === undefined
    ? {}
    : {
        skip: [...VARIANT.skip, "scale/*", "conc/*", "encoding/*", "model/*"],
      };

/**
 * What staging over S3, whose every call crosses a gateway, leaves out as well: looks, edits, copies and versions, which are those of the
 * layers, and what takes hundreds of calls.
 */
export const OVER_S3: LeftOut =
  STORED_ELSEWHERE.skip === undefined
    ? {}
    : {
        skip: [
          ...STORED_ELSEWHERE.skip,
          "path/*",
          "guard/*",
          "ls/*",
          "glob/*",
          "grep/*",
          "read/*",
          "raw/*",
          "wrap/*",
          "hooks/*",
          "edit/*",
          "multi-edit/*",
          "copy/*",
          "version/*",
          "delete/aborted-midway",
          "delete/last-of-a-directory",
          "delete/others-stay",
          "upload/same-bytes-again",
        ],
      };
