import { VolumeError } from "@fs/protocol/author";

/** The error of a call, or of a request, whose time is over. */
export function tooSlow(more?: string, cause?: unknown): VolumeError {
  const detail = ["The Hub took too long to answer.", more, "Try again later."];
  const options = cause === undefined ? {} : { cause };
  return new VolumeError("timeout", detail.filter((part) => part !== undefined).join(" "), options);
}
