/**
 * An ETag as a version: without quotes, and so it is sent back too. Ceph up to 19 compares `If-Match` with the bare hash;
 * AWS and newer servers take both forms.
 */
export function bareEtag(etag: string | undefined): string | undefined {
  return etag?.replace(/^(?:W\/)?"(.*)"$/, "$1");
}
