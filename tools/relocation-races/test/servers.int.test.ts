import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { PostgresBackend } from "@fs/postgres";
import { type Filesystem, MemoryBackend } from "@fs/protocol";
import { RedisBackend } from "@fs/redis";
import { S3Backend } from "@fs/s3";
import {
  type PostgresInfo,
  type RedisInfo,
  s3ClientConfig,
  startCeph,
  startPostgres,
  startRedis,
  type TestServer,
} from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCampaign } from "../src/campaign.js";
import { ROUNDS } from "./rounds.js";

/** Both directions between a storage and memory, and within the storage. */
function race(open: (namespace: string) => Filesystem): void {
  const memory = (): Filesystem => new MemoryBackend();
  test.each([
    ["to", (ns: string) => ({ source: memory(), target: open(ns) })],
    ["from", (ns: string) => ({ source: open(ns), target: memory() })],
    ["within", (ns: string) => ({ source: open(`${ns}-a`), target: open(`${ns}-b`) })],
  ])("%s it", async (direction, ends) => {
    const problems = await runCampaign({
      rounds: ROUNDS,
      seed: 2,
      latencyMs: 2,
      open: async (round) => ends(`${direction}-${round}`),
    });
    expect(problems).toEqual([]);
  });
}

describeWithServer("postgres", "relocation through PostgreSQL", () => {
  let server: TestServer<PostgresInfo>;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres();
    pool = new pg.Pool({ connectionString: server.info.url });
    // A server that stops ends idle connections, which a pool reports as an event.
    pool.on("error", () => undefined);
    await new PostgresBackend({ client: pool }).setup();
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });
  race((namespace) => new PostgresBackend({ client: pool, namespace }));
});

describeWithServer("redis", "relocation through Redis", () => {
  let server: TestServer<RedisInfo>;
  const backends: RedisBackend[] = [];
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    await Promise.all(backends.map((backend) => backend.close()));
    await server.stop();
  });
  race((namespace) => {
    const backend = new RedisBackend({ url: server.info.url, namespace });
    backends.push(backend);
    return backend;
  });
});

describeWithServer("s3", "relocation through S3", () => {
  const bucket = "races";
  let server: Awaited<ReturnType<typeof startCeph>>;
  let client: S3Client;
  beforeAll(async () => {
    server = await startCeph();
    client = new S3Client(s3ClientConfig(server.info));
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  });
  afterAll(async () => {
    client.destroy();
    await server.stop();
  });
  race((prefix) => new S3Backend({ client, bucket, prefix }));
});
