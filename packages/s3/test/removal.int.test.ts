import { setTimeout as delay } from "node:timers/promises";
import { S3Backend } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fault } from "./fault-proxy.js";
import { FaultyGateway } from "./faulty-gateway.js";
import { startGateway, type Gateway } from "./gateway.js";
import { withSmallPages } from "./small-pages.js";
import { PATIENCE_MS } from "../src/tombstone.js";

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

describeWithServer("s3", "a removal that another client has won", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.stop());

  /** A client that loses its removal to `winner`, as Ceph answers: 500, and 412 to the next attempt; and what sees past it. */
  const losing = (prefix: string, winner: (witness: S3Backend) => Promise<unknown>) => {
    const witness = new S3Backend({ client: gateway.client(), bucket: gateway.bucket, prefix });
    const client = gateway.client();
    let lost = false;
    let looks = true;
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const { Key = "", IfMatch } = args.input as { Key?: string; IfMatch?: string };
          if (commandName === "HeadObjectCommand" && lost && !looks) throw answered(403);
          const isRemoval = commandName === "PutObjectCommand" && Key.endsWith("/from/a");
          if (!isRemoval || IfMatch === undefined || lost) return next(args);
          lost = true;
          await winner(witness);
          throw answered(500);
        },
      // Once for each attempt, which is counted above.
      { step: "deserialize", priority: "high" },
    );
    const files = new S3Backend({ client, bucket: gateway.bucket, prefix });
    return { files, witness, blind: () => void (looks = false) };
  };
  const answered = (httpStatusCode: number): Error =>
    Object.assign(new Error(`HTTP ${httpStatusCode}`), { $metadata: { httpStatusCode } });
  const paths = async (of: S3Backend): Promise<string[] | undefined> =>
    (await of.glob("**")).files?.map(({ path }) => path);

  test("takes the copy back where nothing is left at the source", async () => {
    const { files, witness } = losing("won", (other) => other.move("/from/a", "/winner"));
    await witness.uploadFiles([["/from/a", Buffer.from("x")]]);
    expect(await files.move("/from/a", "/loser")).toMatchObject({ code: "conflict" });
    expect(await paths(witness)).toEqual(["/winner"]);
  });

  test("is not known to be lost where a tombstone of its own may have had its time", async () => {
    const { files, witness } = losing("late", async (other) => {
      await other.move("/from/a", "/winner");
      await delay(PATIENCE_MS.time / 2);
    });
    await witness.uploadFiles([["/from/a", Buffer.from("x")]]);
    expect(await files.move("/from/a", "/loser")).toMatchObject({ code: "unavailable" });
    expect(await paths(witness)).toEqual(["/loser", "/winner"]);
  });

  test("is not known to be lost where nobody can look", async () => {
    const { files, witness, blind } = losing("blind", (other) => other.move("/from/a", "/winner"));
    await witness.uploadFiles([["/from/a", Buffer.from("x")]]);
    blind();
    expect(await files.move("/from/a", "/loser")).toMatchObject({ code: "unavailable" });
    expect(await paths(witness)).toEqual(["/loser", "/winner"]);
  });
});

describeWithServer("s3", "a removal under the conditions of AWS whose answer is lost", () => {
  let faulty: FaultyGateway;
  beforeAll(async () => {
    faulty = await FaultyGateway.start({ maxAttempts: 2 }, "as-aws");
  });
  afterAll(() => faulty?.stop());

  /** Lets another client come between the two attempts of a removal, of which the first is not answered. */
  const betweenAttempts = (
    fault: Fault,
    task: (witness: S3Backend) => Promise<unknown>,
  ): { backend: S3Backend; witness: S3Backend; met: () => Promise<unknown> } => {
    const { backend, witness } = faulty.next();
    let removals = 0;
    faulty.proxy.plan(({ method }) =>
      method === "DELETE" && ++removals === 1 ? fault : undefined,
    );
    const meeting = faulty.proxy.after(
      () => removals === 1,
      () => task(witness),
    );
    return { backend, witness, met: () => meeting };
  };
  const paths = async (of: S3Backend): Promise<string[] | undefined> =>
    (await of.glob("**")).files?.map(({ path }) => path);

  test("is not taken for that of another client, which has moved the file elsewhere", async () => {
    const { backend, witness, met } = betweenAttempts(
      { kind: "cut-request", afterBytes: -1 },
      (other) => other.move("/from", "/winner"),
    );
    await witness.write("/from", "x");
    expect(await backend.move("/from", "/loser")).toMatchObject({
      code: "unavailable",
      error: expect.stringContaining("may exist at both paths"),
    });
    expect(await met()).toMatchObject({ path: "/winner" });
    expect(await paths(witness)).toEqual(["/loser", "/winner"]);
  });

  test("spares a file that another client has stored there since", async () => {
    const { backend, witness, met } = betweenAttempts({ kind: "lose-answer" }, (other) =>
      other.write("/from", "new"),
    );
    await witness.write("/from", "x");
    expect(await backend.delete("/from")).toMatchObject({ code: "unavailable" });
    await met();
    expect((await witness.read("/from")).content).toBe("new");
  });
});
