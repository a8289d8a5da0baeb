import type { Faults } from "@fs/conformance";
import { conformance } from "@fs/conformance/vitest";
import { describeWithServer } from "@fs/test-servers/vitest";
import { S3Backend } from "@fs/s3";
import type { Fault } from "./fault-proxy.js";
import { FaultyGateway } from "./faulty-gateway.js";

describeWithServer("s3", "S3Backend under faults", () => {
  let faulty: FaultyGateway;
  const during =
    (fault: Fault, methods = /./) =>
    (): (() => void) => {
      faulty.proxy.plan(({ method }) => (methods.test(method) ? fault : undefined));
      return () => faulty.proxy.plan(() => undefined);
    };
  const faults: Faults = {
    cut: during({ kind: "cut-request", afterBytes: -1 }),
    stall: during({ kind: "silence" }),
    loseAnswers: during({ kind: "lose-answer" }, /PUT|POST|DELETE/),
    refuse: during({ kind: "refuse", status: 403, code: "AccessDenied" }),
    fill: during({ kind: "refuse", status: 403, code: "QuotaExceeded" }, /PUT|POST/),
    readOnly: during({ kind: "refuse", status: 403, code: "AccessDenied" }, /PUT|POST|DELETE/),
  };
  conformance(
    {
      name: "s3 behind a proxy that fails",
      setup: async () => {
        const requestHandler = { connectionTimeout: 5000, socketTimeout: 2500 };
        faulty = await FaultyGateway.start({ maxAttempts: 2, requestHandler });
      },
      teardown: () => faulty.stop(),
      create: ({ ns }) => faulty.make(faulty.client, { prefix: ns }),
      peer: ({ ns }) =>
        new S3Backend({
          client: faulty.gateway.client(),
          bucket: faulty.gateway.bucket,
          prefix: ns,
        }),
      faults: () => faults,
      profile: { collisions: "allowed", limits: { pathBytes: 900 } },
      secrets: ["127.0.0.1", "secret-host"],
    },
    // The SDK tries again after pauses, so that all of it takes minutes: see CONTRIBUTING.md.
    process.env["FS_TEST_ALL_FAULTS"] === "1"
      ? { only: "fault/*" }
      : {
          only: [
            "fault/ls-*",
            "fault/read-*",
            "fault/edit-answer-lost",
            "fault/edit-full",
            "fault/*-read-only",
          ],
        },
  );
});
