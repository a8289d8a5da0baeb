/**
 * An ETag as a version: without quotes, and so it is sent back too. Ceph up to 19 compares `If-Match` with the bare hash;
 * AWS and newer servers take both forms.
 */
export function bareEtag(etag: string | undefined): string | undefined {
  return etag?.replace(/^(?:W\/)?"(.*)"$/, "$1");
}

/**
 * Returns whether a text can be the version of one object. In a condition, `*` would mean any object and a comma or a
 * quote would make a list: such a version matches nothing.
 */
export function isOneVersion(version: string): boolean {
  return version !== "*" && /^[!#-+\--~]+$/.test(version);
}
