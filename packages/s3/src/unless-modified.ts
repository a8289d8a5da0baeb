/**
 * The condition of a DELETE that spares what is newer than a moment of the server's clock, in whole seconds. Ceph's gateways
 * honour it, where they do not honour `If-Match`; others ignore the header.
 */
export function unlessModifiedSince(moment: Date): Readonly<Record<string, string>> {
  return { "x-amz-delete-if-unmodified-since": moment.toISOString() };
}
