import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { S3Backend } from "@fs/s3";
import { type S3Info, startCeph, type TestServer } from "@fs/test-servers";
import type { Counter } from "../measure.js";
import { contentOf, fill } from "../operations.js";
import type { Subject } from "../subject.js";

/** Counts the requests that a client makes. */
function countRequests(client: S3Client): Counter {
  let requests = 0;
  client.middlewareStack.add(
    (next) => async (given) => {
      requests++;
      return next(given);
    },
    { step: "finalizeRequest", name: "count" },
  );
  return {
    take: () => {
      const taken = { requests };
      requests = 0;
      return taken;
    },
  };
}

/** A bucket of a Ceph gateway, beside the plain requests of the SDK. deepagents has nothing for it. */
export function s3(): Subject {
  let server: TestServer<S3Info> | undefined;
  let spaces = 0;
  return {
    suite: "s3",
    title: "S3",
    sides: { ours: "S3Backend of @fs/s3", limit: "a GET or a PUT of the SDK" },
    clock: "wall",
    mostFiles: 10_000,
    open: async (files) => {
      server ??= await startCeph();
      const { endpoint, region, accessKeyId, secretAccessKey } = server.info;
      const client = new S3Client({
        endpoint,
        region,
        credentials: { accessKeyId, secretAccessKey },
        forcePathStyle: true,
        requestChecksumCalculation: "WHEN_REQUIRED",
      });
      const Bucket = `bench${++spaces}`;
      await client.send(new CreateBucketCommand({ Bucket }));
      const ours = new S3Backend({ bucket: Bucket, client });
      await fill(ours, files);
      const counter = countRequests(client);
      const Key = "d0/f0.md";
      const get = async (): Promise<unknown> => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        return Body?.transformToByteArray();
      };
      const put = (): unknown =>
        client.send(new PutObjectCommand({ Bucket, Key: "plain", Body: contentOf(0) }));
      return {
        ours,
        limits: { read: get, write: put, edit: put },
        counters: { ours: counter },
        close: async () => client.destroy(),
      };
    },
    stop: async () => server?.stop(),
  };
}
