import { S3Backend } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type Gateway } from "./gateway.js";
import { withSmallPages } from "./small-pages.js";

describeWithServer("s3", "the removal of a directory of many pages", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());

  test("that is aborted between two batches says how many files are gone", async () => {
    const client = gateway.client();
    withSmallPages(client, 5);
    const controller = new AbortController();
    let batches = 0;
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === "DeleteObjectsCommand" && ++batches === 2) controller.abort();
          return next(args);
        },
      { step: "initialize" },
    );
    const files = new S3Backend({ client, bucket: gateway.bucket, prefix: "removal" });
    const paths = Array.from({ length: 200 }, (_, n) => `/d/${String(n).padStart(3, "0")}`);
    await files.uploadFiles(paths.map((path) => [path, Buffer.from("x")] as const));
    const answer = await files.delete("/d", { signal: controller.signal });
    const left = (await files.glob("**")).files ?? [];
    expect(left.length).toBeGreaterThan(0);
    expect(answer).toMatchObject({
      code: "aborted",
      error: expect.stringContaining(`${paths.length - left.length} files are gone`),
    });
  });
});
