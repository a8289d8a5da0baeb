import type { ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import type { VolumeCall, VolumeEntry } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { bareEtag } from "./etag.js";
import { decodedKey, type KeySpace } from "./keys.js";
import { mayBeTombstone } from "./tombstone.js";

/** A file of a listing, with the version that tells whether a cached copy still holds. */
export interface ListedFile extends VolumeEntry {
  readonly kind: "file";
  readonly size: number;
  readonly version: string | undefined;
}

/** The pages of a listing, 1,000 keys each. */
export async function* pagesOf(
  bucket: Bucket,
  query: { readonly Prefix: string; readonly Delimiter?: string; readonly MaxKeys?: number },
  call: VolumeCall,
): AsyncGenerator<ListObjectsV2CommandOutput> {
  let token: string | undefined;
  do {
    const from = token === undefined ? {} : { ContinuationToken: token };
    const page = await bucket.listObjects({ ...query, ...from }, call);
    yield page;
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
  } while (token !== undefined);
}

/** The files of a page. Directory markers and keys that no path can spell are left out. */
export async function filesOf(
  page: Pick<ListObjectsV2CommandOutput, "Contents">,
  keys: KeySpace,
  isRemoved: (key: string) => Promise<boolean>,
): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  for (const { Key, Size, LastModified, ETag } of page.Contents ?? []) {
    const key = Key === undefined ? undefined : decodedKey(Key);
    const path = key === undefined ? undefined : keys.pathOf(key);
    if (key === undefined || path === undefined) continue;
    const version = bareEtag(ETag);
    if (mayBeTombstone(Size) && (await isRemoved(key))) continue;
    files.push({
      path,
      kind: "file",
      size: Size ?? 0,
      modifiedAt: LastModified?.toISOString(),
      version,
    });
  }
  return files;
}

/** The directories of a page: what keys have in common up to the next slash, a marker's too. */
export function directoriesOf(
  page: Pick<ListObjectsV2CommandOutput, "CommonPrefixes">,
  keys: KeySpace,
): VolumeEntry[] {
  const directories: VolumeEntry[] = [];
  for (const { Prefix } of page.CommonPrefixes ?? []) {
    const path = Prefix === undefined ? undefined : keys.pathOf(decodedKey(Prefix).slice(0, -1));
    if (path !== undefined) directories.push({ path, kind: "directory" });
  }
  return directories;
}

/** What the keys of a query start with: as much of the pattern as is literal. */
export function prefixOfQuery(keys: KeySpace, directory: string, globPrefix?: string): string {
  const below = keys.below(directory);
  if (globPrefix === undefined) return below;
  const narrowed = keys.prefix + globPrefix.slice(1);
  return narrowed.startsWith(below) ? narrowed : below;
}
