import {
  CreateBucketCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { startCeph, type S3Info, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";

describeWithServer("s3", "startCeph", () => {
  let server: TestServer<S3Info>;
  let client: S3Client;
  const bucket = `fs-test-servers-${Date.now()}`;
  beforeAll(async () => {
    server = await startCeph();
    const { endpoint, region, ...credentials } = server.info;
    client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  });
  afterAll(async () => {
    client.destroy();
    await server.stop();
  });

  async function read(key: string): Promise<string | undefined> {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return Body?.transformToString();
  }

  test("refuses to create an object twice", async () => {
    const create = (body: string): Promise<unknown> =>
      client.send(
        new PutObjectCommand({ Bucket: bucket, Key: "once", Body: body, IfNoneMatch: "*" }),
      );
    await create("first");
    await expect(create("second")).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
    expect(await read("once")).toBe("first");
  });

  test("an acknowledged object outlives the gateway", async ({ skip }) => {
    skip(server.external, "the server is not ours to kill");
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: "kept", Body: "here" }));
    await server.kill();
    await server.restart();
    expect(await read("kept")).toBe("here");
  });
});
