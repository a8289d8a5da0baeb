import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import type { Harness } from "@fs/conformance";
import { S3Backend } from "@fs/s3";
import { type Deletes, recordCommands, startGateway, type Gateway } from "./gateway.js";

/** A bucket of a gateway whose DELETE has its own conditions, or those of AWS. */
export function s3Harness(name: string, deletes: Deletes): Harness {
  let gateway: Gateway;
  let client: S3Client;
  let sent: string[];
  const make = (prefix: string, own: S3Client = client): S3Backend =>
    new S3Backend({ client: own, bucket: gateway.bucket, prefix });
  return {
    name,
    // Looks at a tree of thirty files are hundreds of requests, which take a gateway on a busy machine half a minute.
    timeoutMs: 60_000,
    setup: async () => {
      gateway = await startGateway(deletes);
      client = gateway.client();
      sent = recordCommands(client);
    },
    teardown: () => gateway.stop(),
    create: ({ ns }) => make(ns),
    peer: ({ ns }) => make(ns, gateway.client()),
    reopen: ({ ns }) => make(ns, gateway.client()),
    outOfBand: ({ ns }) => ({
      put: async (path, bytes) => {
        const Key = ns + path;
        await client.send(
          new PutObjectCommand({
            Bucket: gateway.bucket,
            Key,
            Body: bytes,
            ContentLength: bytes.length,
          }),
        );
      },
      get: async (path) => {
        const found = await client
          .send(new GetObjectCommand({ Bucket: gateway.bucket, Key: ns + path }))
          .catch(() => undefined);
        return found?.Body?.transformToByteArray();
      },
    }),
    meter: () => ({ requests: sent.length }),
    // A key has at most 1,024 bytes, its prefix included.
    profile: { collisions: "allowed", durable: true, limits: { pathBytes: 900 } },
  };
}
