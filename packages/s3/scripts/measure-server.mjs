#!/usr/bin/env node
// Tries on a real server what this package depends on or could make use of, and prints one line for each feature.
//
//   AWS_ENDPOINT_URL_S3=… AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=… node scripts/measure-server.mjs [--json]
//
// Makes a bucket of its own and removes it afterwards. Nothing is retried: what is measured is the server.
import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";

const options = {
  forcePathStyle: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED",
};
const strict = new S3Client({ ...options, maxAttempts: 1 });
const patient = new S3Client({ ...options, maxAttempts: 4 });
const Bucket = `measure-${randomUUID().slice(0, 13)}`;
const OTHER = "00000000000000000000000000000000";
const PART = Buffer.alloc(5 * 1024 * 1024, 7);

const send = (command, client = strict) => client.send(command);
const put = (Key, Body, more = {}, client = strict) =>
  send(new PutObjectCommand({ Bucket, Key, Body, ...more }), client);
const get = (Key, more = {}) => send(new GetObjectCommand({ Bucket, Key, ...more }));
const text = async (Key, more) => (await get(Key, more)).Body.transformToString();
const bare = (etag) => etag.replaceAll('"', "");
const status = (error) => error.$metadata?.httpStatusCode ?? error.name;

/** The status of a refusal, or "done". */
const outcome = (request) => request.then(() => "done", status);
const refused = async (request) => [409, 412].includes(await outcome(request));

async function race(client, make) {
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, i) => outcome(make(client, String(i)))),
  );
  const wins = outcomes.filter((o) => o === "done").length;
  const lost = [409, 412, 500].filter((o) => outcomes.includes(o)).join(", ");
  return wins === 1 ? `yes (losers: ${lost})` : `NO: ${wins} winners`;
}

async function multipart(Key, condition = {}) {
  const { UploadId } = await send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const parts = [];
  for (const [i, Body] of [PART, "tail"].entries()) {
    const { ETag } = await send(
      new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: i + 1, Body }),
    );
    parts.push({ ETag, PartNumber: i + 1 });
  }
  const MultipartUpload = { Parts: parts };
  const complete = { Bucket, Key, UploadId, MultipartUpload, ...condition };
  try {
    return await send(new CompleteMultipartUploadCommand(complete));
  } catch (error) {
    await send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
    throw error;
  }
}

const FEATURES = {
  "PUT `If-None-Match: *` refuses an existing key": async () => {
    await put("create", "1", { IfNoneMatch: "*" });
    return refused(put("create", "2", { IfNoneMatch: "*" }));
  },
  "of 24 creates at once one wins": () =>
    race(strict, (client, body) => put("race-create", body, { IfNoneMatch: "*" }, client)),
  "PUT `If-Match`, bare ETag": async () => {
    const { ETag } = await put("match", "1");
    const good = await outcome(put("match", "2", { IfMatch: bare(ETag) }));
    return good === "done" && (await refused(put("match", "3", { IfMatch: OTHER })));
  },
  "PUT `If-Match`, quoted ETag": async () => {
    const { ETag } = await put("match", "1");
    return (await outcome(put("match", "2", { IfMatch: ETag }))) === "done";
  },
  "status of PUT `If-Match` on a missing key": async () =>
    String(await outcome(put("none", "1", { IfMatch: OTHER }))),
  "of 24 edits of one version one wins": async () => {
    const { ETag } = await put("race-edit", "0");
    return race(strict, (client, body) =>
      put("race-edit", `v${body}`, { IfMatch: bare(ETag) }, client),
    );
  },
  "the same, with the SDK's retries": async () => {
    const { ETag } = await put("race-retry", "0");
    return race(patient, (client, body) =>
      put("race-retry", `v${body}`, { IfMatch: bare(ETag) }, client),
    );
  },
  "DELETE `If-Match` refuses another version": async () => {
    await put("delete", "1");
    return refused(send(new DeleteObjectCommand({ Bucket, Key: "delete", IfMatch: OTHER })));
  },
  "DELETE `If-Match` refuses a missing key": async () => {
    const answer = await outcome(
      send(new DeleteObjectCommand({ Bucket, Key: "none", IfMatch: OTHER })),
    );
    return [404, 409, 412].includes(answer);
  },
  "copy `If-None-Match: *` refuses an existing key": async () => {
    await put("copied", "1");
    const copy = { Bucket, Key: "copied", CopySource: `${Bucket}/create`, IfNoneMatch: "*" };
    return refused(send(new CopyObjectCommand(copy)));
  },
  "completing parts `If-None-Match: *` refuses an existing key": async () => {
    await put("parts", "1");
    return refused(multipart("parts", { IfNoneMatch: "*" }));
  },
  "uploads in parts": async () => {
    await multipart("parts");
    const { ContentLength } = await send(new HeadObjectCommand({ Bucket, Key: "parts" }));
    return ContentLength === PART.length + 4;
  },
  "an upload of unknown length": async () => {
    const Body = Readable.from([PART, PART, Buffer.from("end")]);
    await new Upload({ client: strict, params: { Bucket, Key: "stream", Body } }).done();
    const { ContentLength } = await send(new HeadObjectCommand({ Bucket, Key: "stream" }));
    return ContentLength === PART.length * 2 + 3;
  },
  "aborted parts are gone": async () => {
    const { UploadId } = await send(new CreateMultipartUploadCommand({ Bucket, Key: "aborted" }));
    await send(new AbortMultipartUploadCommand({ Bucket, Key: "aborted", UploadId }));
    const { Uploads } = await send(new ListMultipartUploadsCommand({ Bucket }));
    return (Uploads ?? []).length === 0;
  },
  "ranges, and 416 past the end": async () =>
    (await text("create", { Range: "bytes=0-0" })) === "1" &&
    (await outcome(get("create", { Range: "bytes=9-" }))) === 416,
  "a read sees the write before it": async () => {
    for (let i = 0; i < 20; i++) {
      await put("fresh", String(i));
      if ((await text("fresh")) !== String(i)) return false;
    }
    return true;
  },
  "metadata and content type": async () => {
    await put("meta", "1", { Metadata: { a: "b" }, ContentType: "text/x-test" });
    const head = await send(new HeadObjectCommand({ Bucket, Key: "meta" }));
    return head.Metadata?.a === "b" && head.ContentType === "text/x-test";
  },
  "listing with delimiter, in pages": async () => {
    for (const key of ["l/1", "l/d/1", "l/e/1", "l/z"]) await put(key, "1");
    const seen = [];
    let ContinuationToken;
    do {
      const query = { Bucket, Prefix: "l/", Delimiter: "/", MaxKeys: 2, ContinuationToken };
      const page = await send(new ListObjectsV2Command(query));
      seen.push(...(page.Contents ?? []).map((o) => o.Key));
      seen.push(...(page.CommonPrefixes ?? []).map((o) => o.Prefix));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return seen.length === 4 && ["l/1", "l/d/", "l/e/", "l/z"].every((key) => seen.includes(key));
  },
  "odd names come back as they were": async () => {
    const names = ["ü ñ+%&=?#", "a\u0301", "😀", "'\"[]{}$*", " x ", "a\\b", "&lt;", "\ufffe"];
    for (const name of names) await put(`o/${name}`, name);
    const { Contents } = await send(new ListObjectsV2Command({ Bucket, Prefix: "o/" }));
    const listed = new Set((Contents ?? []).map((o) => o.Key));
    const lost = names.filter((name) => !listed.has(`o/${name}`));
    return lost.length === 0 ? true : `all but ${JSON.stringify(lost)}`;
  },
  "batches of deletions": async () => {
    const Objects = ["l/1", "l/z"].map((Key) => ({ Key }));
    await send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    return (await outcome(get("l/1"))) === 404;
  },
  "signed addresses": async () => {
    const command = new GetObjectCommand({ Bucket, Key: "create" });
    const url = await getSignedUrl(strict, command, { expiresIn: 60 });
    return (await (await fetch(url)).text()) === "1";
  },
};

async function removeBucket() {
  for (;;) {
    const { Contents } = await send(new ListObjectsV2Command({ Bucket }), patient);
    if ((Contents ?? []).length === 0) break;
    for (const { Key } of Contents) await send(new DeleteObjectCommand({ Bucket, Key }), patient);
  }
  await send(new DeleteBucketCommand({ Bucket }), patient);
}

await send(new CreateBucketCommand({ Bucket }), patient);
const results = {};
try {
  for (const [name, measure] of Object.entries(FEATURES)) {
    const result = await measure().catch((error) => `fails: ${error.name} ${status(error)}`);
    results[name] = result === true ? "yes" : result === false ? "NO" : result;
  }
} finally {
  await removeBucket();
}
if (process.argv.includes("--json")) console.log(JSON.stringify(results, undefined, 2));
else for (const [name, result] of Object.entries(results)) console.log(`| ${name} | ${result} |`);
