/** The extensions that make a file binary whatever it holds (R7), written from the table of `docs/semantics.md`. */
export const MEDIA_EXTENSIONS: readonly string[] = (
  "png jpg jpeg gif webp heic heif mp3 wav aiff aac ogg flac mp4 webm mpeg mpg mov avi flv wmv 3gpp " +
  "pdf ppt pptx"
).split(" ");

const MEDIA = new Set(MEDIA_EXTENSIONS);

/** Whether the name of a file alone makes it binary. */
export function isMediaName(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 && MEDIA.has(name.slice(dot + 1).toLowerCase());
}
