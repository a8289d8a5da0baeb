import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { conformance } from "@fs/conformance/vitest";
import { S3Backend } from "@fs/s3";
import { LEFT_TO_CHECKS, WITHOUT_MATRIX } from "@fs/test-servers/variants";
import { describeWithServer } from "@fs/test-servers/vitest";
import { recordCommands, startGateway, type Gateway } from "./gateway.js";

/** Thousands of requests for batches and trees, of which `scale/directory-1001` and the budgets of requests leave little unseen. */
const MANY_REQUESTS =
  WITHOUT_MATRIX.skip === undefined
    ? []
    : [
        "scale/batch-601",
        "scale/*-260-files",
        "scale/*-thirty-files",
        "growth/*",
        "encoding/every-*",
      ];

describeWithServer("s3", "S3Backend", () => {
  let gateway: Gateway;
  let client: S3Client;
  let sent: string[];
  const make = (prefix: string, own: S3Client = client): S3Backend =>
    new S3Backend({ client: own, bucket: gateway.bucket, prefix });

  conformance(
    {
      name: "s3",
      // Looks at a tree of thirty files are hundreds of requests, which take a gateway on a busy machine half a minute.
      timeoutMs: 60_000,
      setup: async () => {
        gateway = await startGateway();
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
    },
    { skip: [...(WITHOUT_MATRIX.skip ?? []), ...MANY_REQUESTS, ...LEFT_TO_CHECKS] },
  );
});
