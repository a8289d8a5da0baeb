import type {
  GetObjectCommandOutput,
  HeadObjectCommandOutput,
  PutObjectCommandInput,
} from "@aws-sdk/client-s3";
import { binaryTypeOf, isMediaPath, isTextBytes, textTypeOf } from "@fs/protocol/hooks";

/** The metadata that holds when a file was created: object stores only know when it was last written. */
export const CREATED_AT = "fs-created-at";
/** What an edit carries over from the object that it replaces. */
export type ObjectProperties = Pick<
  PutObjectCommandInput,
  | "CacheControl"
  | "ContentDisposition"
  | "ContentEncoding"
  | "ContentLanguage"
  | "ContentType"
  | "Metadata"
>;

/** The properties of an object as GET and HEAD tell them, with the time it was created. */
export function propertiesOf(
  output: GetObjectCommandOutput | HeadObjectCommandOutput,
): ObjectProperties {
  const { CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, ContentType } =
    output;
  const properties = {
    CacheControl,
    ContentDisposition,
    ContentEncoding,
    ContentLanguage,
    ContentType,
  };
  const known = Object.entries(properties).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(known),
    Metadata: { ...output.Metadata, [CREATED_AT]: createdAtOf(output) },
  };
}

/** The properties of a new file. Without its bytes, its name alone tells the type. */
export function newProperties(path: string, bytes: Uint8Array | undefined): ObjectProperties {
  return {
    ContentType: contentTypeOf(path, bytes),
    Metadata: { [CREATED_AT]: new Date().toISOString() },
  };
}

/** ISO 8601: as the metadata has it, else when the object was last written. */
export function createdAtOf(output: GetObjectCommandOutput | HeadObjectCommandOutput): string {
  const noted = output.Metadata?.[CREATED_AT];
  return noted !== undefined && !Number.isNaN(Date.parse(noted)) ? noted : modifiedAtOf(output);
}

/** ISO 8601. */
export function modifiedAtOf({ LastModified }: { LastModified?: Date | undefined }): string {
  return (LastModified ?? new Date(0)).toISOString();
}

function contentTypeOf(path: string, bytes: Uint8Array | undefined): string {
  const isText = bytes !== undefined && !isMediaPath(path) && isTextBytes(bytes);
  if (!isText) return binaryTypeOf(path);
  const type = textTypeOf(path);
  return type.startsWith("text/") ? `${type}; charset=utf-8` : type;
}
