import { conformance } from "@fs/conformance/vitest";
import { S3Backend } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { type Gateway, startGateway } from "../../s3/test/gateway.js";
import { earns } from "./earns.js";
import { OVER_S3, SPLITS } from "./splits.js";
import { stagingOver } from "./staging-over.js";

describeWithServer("s3", "staging over S3Backend", () => {
  for (const split of SPLITS) {
    let gateway: Gateway;
    let client: ReturnType<Gateway["client"]>;
    const open = (prefix: string): S3Backend =>
      new S3Backend({ client, bucket: gateway.bucket, prefix });
    conformance(
      stagingOver(
        {
          name: "s3",
          // Each call is several requests, and a gateway on a busy machine takes half a second for one.
          timeoutMs: 60_000,
          setup: async () => {
            gateway = await startGateway();
            client = gateway.client();
          },
          teardown: () => gateway.stop(),
          create: ({ ns }) => open(`${ns}/base`),
          reopen: ({ ns }) => open(`${ns}/base`),
          // A key has at most 1,024 bytes, its prefix and the coding of the entries included.
          profile: { durable: true, limits: { pathBytes: 800 } },
        },
        { split, upper: (ns) => open(`${ns}/upper`) },
      ),
      { ...OVER_S3, onReport: earns("core", "safe", "durable") },
    );
  }
});
