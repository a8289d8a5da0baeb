// What the suite is asked on about a fault, within one program: a storage made of modules of which one is faulty. Each has
// `start`, which is called once, in the program itself, and answers `{ info, stop }`; and `harnesses`, which is called for each
// fault, in a worker, with that `info`: a list of `{ harness, only? }`, the quickest to decide first. What fails is asked again,
// so that each `setup` begins without files.
import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../bootstrap/repository.mjs";

const SERVERS = `${root}/tools/test-servers/dist/index.js`;

/** What a package of the repository depends on. */
const dependencyOf = (name, dependency) =>
  createRequire(`${root}/packages/${name}/package.json`)(dependency);

const nothing = async () => ({ info: undefined, stop: () => {} });

/** A name that no other fault's files begin with. */
const ownName = () => `fault-${randomUUID().slice(0, 8)}`;

/** A server of its own, as the tests start it. */
const serverOf = (start) => async () => {
  const started = await (await import(SERVERS))[start]();
  return { info: started.info, stop: () => started.stop() };
};

const protocol = {
  start: nothing,
  harnesses: async (load) => {
    const { MemoryBackend, MemoryVolume } = await load("index.js");
    const { VolumeBackend } = await load("author.js");
    const { faultyVolume } = await import(`${root}/packages/conformance/dist/index.js`);
    const volumes = new Map();
    return [
      {
        harness: {
          name: "memory, with a second client and faults",
          create: ({ ns }) => {
            const faulty = faultyVolume(new MemoryVolume());
            volumes.set(ns, faulty);
            return new VolumeBackend(faulty.volume);
          },
          peer: ({ ns }) => new VolumeBackend(volumes.get(ns).volume),
          faults: ({ ns }) => volumes.get(ns).faults,
        },
      },
      {
        harness: {
          name: "memory, overwriting, with a limit",
          profile: { writeMode: "overwrite", limits: { fileBytes: 100_000 } },
          create: () => new MemoryBackend({ writeMode: "overwrite", maxFileBytes: 100_000 }),
        },
        only: ["write/*", "scale/*limit*", "matrix/write-*", "upload/*", "raw/*"],
      },
    ];
  },
};

const disk = {
  start: async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "fs-fault-")));
    return { info: folder, stop: () => rmSync(folder, { recursive: true, force: true }) };
  },
  harnesses: async (load, folder) => {
    const { FilesystemBackend } = await load("index.js");
    const own = join(folder, ownName());
    const open = ({ ns }) => new FilesystemBackend({ rootDir: join(own, ns) });
    const harness = {
      name: "disk",
      create: open,
      peer: open,
      reopen: open,
      teardown: () => rmSync(own, { recursive: true, force: true }),
      profile: {
        directories: "real",
        symlinks: "reject",
        durable: true,
        limits: { pathBytes: 3500 },
      },
    };
    return [{ harness }];
  },
};

const postgres = {
  start: serverOf("startPostgres"),
  harnesses: async (load, { url }) => {
    const { PostgresBackend } = await load("index.js");
    const { Pool } = dependencyOf("postgres", "pg");
    const poolOf = (address) => {
      const pool = new Pool({ connectionString: address, max: 10 });
      pool.on("error", () => {});
      return pool;
    };
    let database, admin, client, other;
    const harness = {
      name: "postgres",
      setup: async () => {
        database = ownName().replace("-", "_");
        admin = poolOf(url);
        await admin.query(`create database ${database}`);
        const own = new URL(`/${database}`, url).href;
        client = poolOf(own);
        other = poolOf(own);
        await new PostgresBackend({ client }).setup({ trigram: true, watch: true });
      },
      create: ({ ns }) => new PostgresBackend({ client, namespace: ns }),
      peer: ({ ns }) => new PostgresBackend({ client: other, namespace: ns }),
      reopen: ({ ns }) => new PostgresBackend({ client: other, namespace: ns }),
      teardown: async () => {
        await Promise.all([client.end(), other.end()]);
        await admin.query(`drop database ${database} with (force)`);
        await admin.end();
      },
      profile: { durable: true, watch: true },
    };
    return [{ harness }];
  },
};

const redis = {
  start: serverOf("startRedis"),
  harnesses: async (load, { url }) => {
    const { RedisBackend, DEFAULT_MAX_FILE_BYTES } = await load("index.js");
    const { Redis } = dependencyOf("redis", "ioredis");
    let keyPrefix, client, other;
    const harness = {
      name: "redis",
      setup: () => {
        keyPrefix = ownName();
        client = new Redis(url);
        other = new Redis(url);
      },
      create: ({ ns }) => new RedisBackend({ client, keyPrefix, namespace: ns }),
      peer: ({ ns }) => new RedisBackend({ client: other, keyPrefix, namespace: ns }),
      reopen: ({ ns }) => new RedisBackend({ client: other, keyPrefix, namespace: ns }),
      teardown: () => {
        client.disconnect();
        other.disconnect();
      },
      profile: { durable: true, watch: true, limits: { fileBytes: DEFAULT_MAX_FILE_BYTES } },
    };
    return [{ harness }];
  },
};

const s3 = {
  start: serverOf("startCeph"),
  harnesses: async (load, info) => {
    const { S3Backend } = await load("index.js");
    const { CreateBucketCommand, S3Client } = dependencyOf("s3", "@aws-sdk/client-s3");
    const { s3ClientConfig } = await import(SERVERS);
    let bucket, client, other;
    const harness = {
      name: "s3",
      timeoutMs: 60_000,
      setup: async () => {
        bucket = ownName();
        client = new S3Client(s3ClientConfig(info));
        other = new S3Client(s3ClientConfig(info));
        await client.send(new CreateBucketCommand({ Bucket: bucket }));
      },
      create: ({ ns }) => new S3Backend({ client, bucket, prefix: ns }),
      peer: ({ ns }) => new S3Backend({ client: other, bucket, prefix: ns }),
      reopen: ({ ns }) => new S3Backend({ client: other, bucket, prefix: ns }),
      teardown: () => {
        client.destroy();
        other.destroy();
      },
      profile: { collisions: "allowed", durable: true, limits: { pathBytes: 900 } },
    };
    return [{ harness }];
  },
};

const hub = {
  start: nothing,
  harnesses: async (load) => {
    const { ContextHubBackend } = await load("index.js");
    const { Client } = dependencyOf("hub", "langsmith");
    const { HubServer } = await import(`${root}/tools/test-servers/dist/hub.js`);
    let server, client;
    const open = ({ ns }) =>
      new ContextHubBackend(`case-${ns}`, {
        client,
        coalesceMs: 0,
        retry: { attempts: 4, firstDelayMs: 2 },
      });
    const harness = {
      name: "hub, without other clients",
      setup: async () => {
        server = await HubServer.start();
        const { url: apiUrl, apiKey } = server;
        client = new Client({ apiUrl, apiKey, timeout_ms: 10_000, autoBatchTracing: false });
      },
      create: open,
      reopen: open,
      teardown: () => server.stop(),
      profile: { content: "text", durable: true, times: "observed" },
    };
    return [{ harness }];
  },
};

const store = {
  start: nothing,
  harnesses: async (load) => {
    const { StoreBackend } = await load("index.js");
    const { InMemoryStore } = dependencyOf("store", "@langchain/langgraph");
    let kept;
    const open = ({ ns }) => new StoreBackend({ store: kept, namespace: [ns] });
    const harness = {
      name: "store in memory",
      setup: () => void (kept = new InMemoryStore()),
      create: open,
      peer: open,
      reopen: open,
      profile: { durable: true, collisions: "allowed" },
    };
    return [{ harness }];
  },
};

const staging = {
  start: nothing,
  harnesses: async (load) => {
    const { StagingBackend } = await load("index.js");
    const { MemoryBackend } = await import(`${root}/packages/protocol/dist/index.js`);
    const layers = new Map();
    const open = ({ ns }) => {
      const { base, upper } = layers.get(ns);
      return new StagingBackend(base, { upper });
    };
    const harness = {
      name: "staging over memory",
      create: ({ ns }) => {
        layers.set(ns, { base: new MemoryBackend(), upper: new MemoryBackend() });
        return open({ ns });
      },
      peer: open,
    };
    return [{ harness }];
  },
};

/** By package. What is not here is asked by Vitest, as a state needs a graph, and a sandbox minutes. */
export const deployments = { protocol, disk, postgres, redis, s3, hub, store, staging };
