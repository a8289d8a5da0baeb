#!/usr/bin/env node
// Compares each operation with the fewest calls of the same SDK client that do the same work: requests and time.
//
//   pnpm exec tsc -b packages/s3
//   AWS_ENDPOINT_URL_S3=… AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=… node packages/s3/scripts/benchmark.mjs [objects …]
//
// Rounds of both are interleaved; a ratio is the median of those of the rounds. Prints a table in Markdown.
import { randomUUID } from "node:crypto";
import { mapConcurrently } from "@fs/protocol/async";
import { S3Backend } from "@fs/s3";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";

const WIDTH = 32;
const client = new S3Client({
  forcePathStyle: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
  requestChecksumCalculation: "WHEN_REQUIRED",
  responseChecksumValidation: "WHEN_REQUIRED",
});
let requests = 0;
client.middlewareStack.add(
  (next) => (args) => {
    requests++;
    return next(args);
  },
  { step: "finalizeRequest", priority: "low" },
);
const Bucket = `bench-${randomUUID().slice(0, 13)}`;
const body = (i) =>
  `# File ${i}\n${"some words of text that nobody looks for\n".repeat(48)}${i % 100 === 7 ? "a rare needle\n" : ""}`;

async function listKeys(Prefix, Delimiter) {
  const found = [];
  let ContinuationToken;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket, Prefix, Delimiter, ContinuationToken }),
    );
    found.push(...(page.Contents ?? []).map(({ Key }) => Key), ...(page.CommonPrefixes ?? []));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return found;
}

const fetchText = async (Key, more = {}) =>
  (await client.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body.transformToString();
const store = (Key, Body, more = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));

async function scan(prefix, needle) {
  const keys = (await listKeys(`${prefix}/`)).filter((key) => key.startsWith(`${prefix}/d`));
  const texts = await mapConcurrently(keys, WIDTH, (key) => fetchText(key));
  return texts.filter((text) => text.includes(needle)).length;
}

/** Each: rounds, ours, the fewest raw calls. */
function operations(backend, prefix, objects) {
  let n = 0;
  let mark = "<start>";
  const dirs = objects / 100;
  const batch = Array.from({ length: 100 }, (_, i) => `/d0/f${i}.txt`);
  const fresh = (options = {}) =>
    new S3Backend({ client, bucket: Bucket, prefix, concurrency: WIDTH, ...options });
  return {
    "read, 2 KB": [31, () => backend.read("/d0/f1.txt"), () => fetchText(`${prefix}/d0/f1.txt`)],
    "page at the top of 20 MB": [
      15,
      () => backend.read("/big.log", 0, 100),
      () => fetchText(`${prefix}/big.log`, { Range: "bytes=0-262143" }),
    ],
    "write, new": [
      31,
      () => backend.write(`/w/${n++}`, "text"),
      () => store(`${prefix}/w/${n++}`, "text", { IfNoneMatch: "*" }),
    ],
    "edit, 2 KB": [
      31,
      () => {
        const before = mark;
        mark = `<${n++}>`;
        return backend.edit("/edited.txt", before, mark);
      },
      async () => {
        const { Body, ETag } = await client.send(
          new GetObjectCommand({ Bucket, Key: `${prefix}/raw-edited.txt` }),
        );
        const text = (await Body.transformToString()).replace(/<\w+>/, `<${n++}>`);
        return store(`${prefix}/raw-edited.txt`, text, { IfMatch: ETag.replaceAll('"', "") });
      },
    ],
    "ls, 100 children": [15, () => backend.ls("/d0"), () => listKeys(`${prefix}/d0/`, "/")],
    [`ls, ${dirs} directories`]: [7, () => backend.ls("/"), () => listKeys(`${prefix}/`, "/")],
    "glob d1/**/*.txt": [15, () => backend.glob("d1/**/*.txt"), () => listKeys(`${prefix}/d1/`)],
    "glob **/*7.txt": [3, () => backend.glob("**/*7.txt"), () => listKeys(`${prefix}/`)],
    "grep, nothing held": [
      objects > 1000 ? 1 : 3,
      () => fresh().grep("a rare needle", "/", "**/f*.txt"),
      () => scan(prefix, "a rare needle"),
    ],
    "grep again": [
      3,
      () => backend.grep("a rare needle", "/", "**/f*.txt"),
      () => listKeys(`${prefix}/`),
    ],
    "grep, first 10 of a common word": [
      3,
      () => fresh().grep("words", "/", "**/f*.txt", 10),
      async () => (await listKeys(`${prefix}/`), fetchText(`${prefix}/d0/f0.txt`)),
    ],
    "uploadFiles, 100": [
      3,
      () => backend.uploadFiles(batch.map((path, i) => [path, Buffer.from(body(i))])),
      () => mapConcurrently(batch, WIDTH, (path, i) => store(prefix + path, body(i))),
    ],
    "downloadFiles, 100": [
      5,
      () => backend.downloadFiles(batch),
      () => mapConcurrently(batch, WIDTH, (path) => fetchText(prefix + path)),
    ],
  };
}

async function measure(task) {
  requests = 0;
  const start = performance.now();
  const result = await task();
  const time = performance.now() - start;
  if (result?.error !== undefined) throw new Error(result.error);
  return { time, requests };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function compare([rounds, ours, raw]) {
  if (rounds > 1) {
    await measure(ours);
    await measure(raw);
  }
  const pairs = [];
  for (let i = 0; i < rounds; i++) pairs.push([await measure(ours), await measure(raw)]);
  return {
    ours: pairs[0][0].requests,
    raw: pairs[0][1].requests,
    time: median(pairs.map(([a]) => a.time)),
    ratio: median(pairs.map(([a, b]) => a.time / b.time)),
  };
}

async function seed(backend, objects) {
  const files = Array.from({ length: objects }, (_, i) => [
    `/d${Math.floor(i / 100)}/f${i % 100}.txt`,
    Buffer.from(body(i)),
  ]);
  for (const { error } of await backend.uploadFiles(files))
    if (error !== null) throw new Error(error);
  await backend.uploadFiles([
    ["/big.log", Buffer.from(`${"x".repeat(99)}\n`.repeat(200_000))],
    ["/edited.txt", Buffer.from(`${body(1)}<start>\n`)],
    ["/raw-edited.txt", Buffer.from(`${body(1)}<start>\n`)],
  ]);
}

async function removeAll() {
  for (;;) {
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket }));
    if ((Contents ?? []).length === 0) break;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  }
  await client.send(new DeleteBucketCommand({ Bucket }));
}

const sizes = process.argv.slice(2).map(Number);
await client.send(new CreateBucketCommand({ Bucket }));
try {
  for (const objects of sizes.length > 0 ? sizes : [1000, 10_000]) {
    const prefix = `n${objects}`;
    const backend = new S3Backend({ client, bucket: Bucket, prefix, concurrency: WIDTH });
    await seed(backend, objects);
    console.log(`\n## ${objects.toLocaleString("en")} objects\n`);
    console.log(
      "| operation | requests | fewest raw | ms, median | time / raw |\n|---|---|---|---|---|",
    );
    for (const [name, operation] of Object.entries(operations(backend, prefix, objects))) {
      const { ours, raw, time, ratio } = await compare(operation);
      console.log(`| ${name} | ${ours} | ${raw} | ${time.toFixed(1)} | ${ratio.toFixed(2)} |`);
    }
  }
} finally {
  await removeAll();
}
