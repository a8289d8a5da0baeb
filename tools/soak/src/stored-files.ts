import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { GetObjectCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { Redis } from "ioredis";
import pg from "pg";
import { NAMESPACE, type Place } from "./open-backend.js";

/** Objects that are fetched side by side. */
const AT_ONCE = 40;

/** What is at every path of a storage, read with its plain client: nothing of what is under trial takes part. */
export async function storedFiles(place: Place): Promise<Map<string, string>> {
  switch (place.storage) {
    case "disk":
      return filesOnDisk(place.rootDir);
    case "postgres":
      return rowsOf(place.url);
    case "redis":
      return fieldsOf(place.url);
    case "s3":
      return objectsOf(place);
  }
}

function filesOnDisk(root: string): Map<string, string> {
  const files = new Map<string, string>();
  if (!existsSync(root)) return files;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    // What a killed writer had not finished; it is removed once it is old.
    if (!entry.isFile() || entry.name.startsWith(".fs-disk-")) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(`/${relative(root, file)}`, readFileSync(file, "utf8"));
  }
  return files;
}

async function rowsOf(url: string): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { rows } = await client.query<{ path: string; content: string }>(
    "select path, content from fs_files where namespace = $1",
    [NAMESPACE],
  );
  await client.end();
  return new Map(rows.map(({ path, content }) => [path, content]));
}

async function fieldsOf(url: string): Promise<Map<string, string>> {
  const client = new Redis(url);
  const fields = await client.hgetall(`fs:{${NAMESPACE}}:files`);
  client.disconnect();
  // A content's field is `c` and the path, its record's is `m` and the path.
  const contents = Object.entries(fields).filter(([field]) => field.startsWith("c"));
  return new Map(contents.map(([field, content]) => [field.slice(1), content]));
}

async function objectsOf(place: Place & { storage: "s3" }): Promise<Map<string, string>> {
  const { endpoint, region, accessKeyId, secretAccessKey, bucket } = place;
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const files = new Map<string, string>();
  const prefix = `${NAMESPACE}/`;
  const read = async (key: string): Promise<void> => {
    const { Body, Metadata } = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: key }),
    );
    const text = (await Body?.transformToString()) ?? "";
    // The mark of a removal whose last request did not arrive: the README says that no file is there.
    if (Metadata?.["fs-tombstone"] === undefined) files.set(key.slice(NAMESPACE.length), text);
  };
  for (let token: string | undefined; ;) {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
    );
    const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
    // An empty name after the prefix is a probe's, which no path can spell.
    const named = keys.filter((key) => !key.startsWith(`${prefix}/`));
    for (let from = 0; from < named.length; from += AT_ONCE)
      await Promise.all(named.slice(from, from + AT_ONCE).map(read));
    token = page.NextContinuationToken;
    if (token === undefined) break;
  }
  client.destroy();
  return files;
}
