import { MIME_TYPES } from "./mime-types.js";

/**
 * Types that make a file binary by its extension alone, whatever its bytes. The MIME names are fixed: model
 * providers accept exactly these.
 */
const MEDIA: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  aiff: "audio/aiff",
  aac: "audio/aac",
  ogg: "audio/ogg",
  flac: "audio/flac",
  mp4: "video/mp4",
  webm: "video/webm",
  mpeg: "video/mpeg",
  mpg: "video/mpeg",
  mov: "video/quicktime",
  avi: "video/x-msvideo",
  flv: "video/x-flv",
  wmv: "video/x-ms-wmv",
  "3gpp": "video/3gpp",
  pdf: "application/pdf",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
};

/** Types of text whose names are fixed, and source code that a MIME library takes for something else. */
const TEXT: Readonly<Record<string, string>> = {
  txt: "text/plain",
  html: "text/html",
  json: "application/json",
  svg: "image/svg+xml",
  rs: "text/plain",
};

// An application type that is text all the same; anything else the library names is only a label for bytes.
const TEXTUAL_APPLICATION =
  /^application\/(?:json5?|ld\+json|javascript|ecmascript|xml|toml|yaml|sql|graphql|x-sh|x-yaml|.+\+(?:json|xml|yaml))$/;

let types: ReadonlyMap<string, string> | undefined;

/** The registered type of an extension, of those that can be answered here. Reads the table at the first question. */
function registeredType(extension: string): string | undefined {
  types ??= readTable();
  return types.get(extension);
}

function readTable(): Map<string, string> {
  const table = new Map<string, string>();
  for (const entry of MIME_TYPES.split(/[;\n]/)) {
    const [name = "", ...extensions] = entry.split(" ");
    const type = name.includes("/") ? name : `application/${name}`;
    for (const extension of extensions) table.set(extension, type);
  }
  return table;
}

/** The extension of a path in lower case without its dot; `""` where there is none. Dotfiles have none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** The media type that makes a path binary by its extension, or `undefined`: then its bytes decide. */
export function mediaTypeOf(path: string): string | undefined {
  const extension = extensionOf(path);
  return Object.hasOwn(MEDIA, extension) ? MEDIA[extension] : undefined;
}

/** Returns whether a path is binary whatever its bytes: an image, sound, film or document of the fixed table. */
export function isMediaPath(path: string): boolean {
  return mediaTypeOf(path) !== undefined;
}

/** The MIME type of a file whose bytes are text. `text/plain` unless its extension says more. */
export function textTypeOf(path: string): string {
  const extension = extensionOf(path);
  if (Object.hasOwn(TEXT, extension)) return TEXT[extension] ?? "text/plain";
  const type = registeredType(extension);
  if (type === undefined) return "text/plain";
  return type.startsWith("text/") || TEXTUAL_APPLICATION.test(type) ? type : "text/plain";
}

/** The MIME type of a file whose bytes are not text. `application/octet-stream` unless its extension says more. */
export function binaryTypeOf(path: string): string {
  const media = mediaTypeOf(path);
  if (media !== undefined) return media;
  const type = registeredType(extensionOf(path));
  // The table holds no media.
  const misleading =
    type === undefined || type.startsWith("text/") || TEXTUAL_APPLICATION.test(type);
  return misleading ? "application/octet-stream" : type;
}
