import { S3Backend } from "@fs/s3";
import { expect, test } from "vitest";

test("a listener that throws makes no call reject", async () => {
  let heard = 0;
  const files = new S3Backend({
    bucket: "b",
    connection: { endpoint: "http://127.0.0.1:1", region: "r", maxAttempts: 1 },
    onError: () => {
      heard++;
      throw new Error("a listener that fails");
    },
  });
  expect(await files.read("/a")).toHaveProperty("code");
  expect(await files.presign("/a")).toHaveProperty("code");
  expect(heard).toBe(2);
});
