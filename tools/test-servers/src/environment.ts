import type { PostgresInfo } from "./postgres.js";
import type { RedisInfo } from "./redis.js";
import type { S3Info } from "./ceph.js";

/** Servers that somebody else runs, used instead of private ones when these variables name them. */
export const VARIABLES = {
  postgres: "FS_TEST_POSTGRES_URL",
  redis: "FS_TEST_REDIS_URL",
  redisCluster: "FS_TEST_REDIS_CLUSTER_URLS",
  s3: "FS_TEST_S3_ENDPOINT",
} as const;

export function postgresFromEnvironment(): PostgresInfo | undefined {
  const url = variable(VARIABLES.postgres);
  return url === undefined ? undefined : { url };
}

export function redisFromEnvironment(): RedisInfo | undefined {
  const url = variable(VARIABLES.redis);
  return url === undefined ? undefined : { url };
}

/** Comma-separated URLs of some or all nodes. */
export function redisClusterFromEnvironment(): { readonly urls: readonly string[] } | undefined {
  const urls = variable(VARIABLES.redisCluster);
  return urls === undefined ? undefined : { urls: urls.split(",").map((url) => url.trim()) };
}

/** Needs the two keys beside the endpoint; the region is us-east-1 unless FS_TEST_S3_REGION says otherwise. */
export function s3FromEnvironment(): S3Info | undefined {
  const endpoint = variable(VARIABLES.s3);
  if (endpoint === undefined) return undefined;
  const accessKeyId = variable("FS_TEST_S3_ACCESS_KEY_ID");
  const secretAccessKey = variable("FS_TEST_S3_SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(
      `${VARIABLES.s3} also needs FS_TEST_S3_ACCESS_KEY_ID and FS_TEST_S3_SECRET_ACCESS_KEY`,
    );
  const region = variable("FS_TEST_S3_REGION") ?? "us-east-1";
  return { endpoint, region, accessKeyId, secretAccessKey };
}

function variable(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === "" ? undefined : value;
}
