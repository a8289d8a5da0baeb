/** The source of a copy as its header takes it: bucket and key, encoded name by name. */
export function copySourceOf(bucket: string, key: string): string {
  return `${bucket}/${key.split("/").map(encodeURIComponent).join("/")}`;
}
