import type { ToolSettings } from "../settings.js";

/** A text with the version in a note, for callers that pass it on as `if_version`. */
export function withVersion(
  text: string,
  version: string | undefined,
  { showVersions }: Pick<ToolSettings, "showVersions">,
): string {
  return showVersions && version !== undefined ? `${text}\n[version ${version}]` : text;
}
