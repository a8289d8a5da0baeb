import { randomUUID } from "node:crypto";
import { CreateBucketCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { s3ClientConfig, startCeph, type S3Info, type TestServer } from "@fs/test-servers";
import { startConditionalDeletes } from "./conditional-deletes.js";

/** A real gateway with one bucket, and clients that count what they send. */
export interface Gateway {
  readonly bucket: string;
  /** Where its clients send what they send. */
  readonly endpoint: string;
  readonly server: TestServer<S3Info>;
  client(overrides?: S3ClientConfig): S3Client;
  stop(): Promise<void>;
}

/** `"as-it-does"`: the gateway's own. `"as-aws"`: with the conditions that AWS has on DELETE. */
export type Deletes = "as-it-does" | "as-aws";

/** Starts a gateway, or uses the one that FS_TEST_S3_ENDPOINT names, and makes a bucket. */
export async function startGateway(deletes: Deletes = "as-it-does"): Promise<Gateway> {
  const server = await startCeph();
  const clients: S3Client[] = [];
  const clientAt = (endpoint: string, overrides: S3ClientConfig): S3Client => {
    const made = new S3Client({ ...s3ClientConfig(server.info), endpoint, ...overrides });
    clients.push(made);
    return made;
  };
  const itself = server.info.endpoint;
  const before =
    deletes === "as-aws" ? await startConditionalDeletes(itself, clientAt(itself, {})) : undefined;
  const endpoint = before?.endpoint ?? itself;
  const client = (overrides: S3ClientConfig = {}): S3Client => clientAt(endpoint, overrides);
  const bucket = `bucket-${randomUUID().slice(0, 8)}`;
  await client().send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    bucket,
    endpoint,
    server,
    client,
    stop: async () => {
      for (const made of clients) made.destroy();
      await before?.stop();
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
