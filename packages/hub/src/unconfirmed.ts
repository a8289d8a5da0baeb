import { VolumeError } from "@fs/protocol/author";

/** The error of a change that may or may not have been stored. */
export function unconfirmed(code: VolumeError["code"], cause: unknown): VolumeError {
  const detail =
    "The Hub did not confirm the change: it may be stored, or not. Read the file again before repeating it.";
  return new VolumeError(code, detail, cause === undefined ? {} : { cause });
}
