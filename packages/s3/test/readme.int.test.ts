import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { readmeExamples, runExample } from "@fs/readme-examples";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, test } from "vitest";
import { startGateway, type Gateway } from "./gateway.js";

describeWithServer("s3", "README.md", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.client().send(new CreateBucketCommand({ Bucket: "notes" }));
  });
  afterAll(() => gateway?.stop());

  for (const example of readmeExamples(new URL("../README.md", import.meta.url))) {
    test(example.title, async () => {
      const { endpoint, region, accessKeyId, secretAccessKey } = gateway.server.info;
      await runExample(example, {
        env: {
          AWS_ENDPOINT_URL_S3: endpoint,
          AWS_REGION: region,
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secretAccessKey,
        },
      });
    });
  }
});
