import { randomUUID } from "node:crypto";
import { CreateBucketCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { s3ClientConfig, startCeph, type S3Info, type TestServer } from "@fs/test-servers";

/** A real gateway with one bucket, and clients that count what they send. */
export interface Gateway {
  readonly bucket: string;
  readonly server: TestServer<S3Info>;
  client(overrides?: S3ClientConfig): S3Client;
  stop(): Promise<void>;
}

/** Starts a gateway, or uses the one that FS_TEST_S3_ENDPOINT names, and makes a bucket. */
export async function startGateway(): Promise<Gateway> {
  const server = await startCeph();
  const clients: S3Client[] = [];
  const client = (overrides: S3ClientConfig = {}): S3Client => {
    const made = new S3Client({ ...s3ClientConfig(server.info), ...overrides });
    clients.push(made);
    return made;
  };
  const bucket = `bucket-${randomUUID().slice(0, 8)}`;
  await client().send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    bucket,
    server,
    client,
    stop: async () => {
      for (const made of clients) made.destroy();
      await server.stop();
    },
  };
}

/** Notes the name of every command that a client sends: `GetObject`, `PutObject` … */
export function recordCommands(client: S3Client): string[] {
  const sent: string[] = [];
  client.middlewareStack.add(
    (next, context) => (args) => {
      sent.push((context.commandName ?? "").replace(/Command$/, ""));
      return next(args);
    },
    { step: "finalizeRequest", priority: "low", name: "recordCommands" },
  );
  return sent;
}
