import { canonicalPath } from "@fs/protocol/author";

/** What every file's URI starts with. */
const PREFIX = "fs:///";

/** The template of the URIs of files. */
export const FILE_TEMPLATE = "fs:///{+path}";

/** The URI of a file, each segment percent-encoded. */
export function uriOf(path: string): string {
  return PREFIX + path.slice(1).split("/").map(encodeURIComponent).join("/");
}

/** The canonical path of a file's URI, or `undefined` for what is none. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith(PREFIX)) return undefined;
  const segments = uri.slice(PREFIX.length).split("/").map(decoded);
  if (segments.some((segment) => segment === undefined || segment.includes("/"))) return undefined;
  const canonical = canonicalPath(`/${segments.join("/")}`);
  return canonical.failure === undefined ? canonical.path : undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
