import type { Filesystem } from "@fs/protocol";

/** Where a storage is, as a worker reaches it. */
export type Place =
  | { readonly storage: "disk"; readonly rootDir: string }
  | { readonly storage: "postgres" | "redis"; readonly url: string }
  | {
      readonly storage: "s3";
      readonly endpoint: string;
      readonly region: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly bucket: string;
    };

export const NAMESPACE = "soak";

/** Milliseconds that a server has for a connection and for an answer; short, so that stalls outlast them. */
const LIMITS = { connectTimeoutMs: 1500, callTimeoutMs: 3000 } as const;

/** The backend of a storage, as a program would open it. Loads only what that storage needs. */
export async function openBackend(place: Place): Promise<Filesystem> {
  switch (place.storage) {
    case "disk": {
      const { FilesystemBackend } = await import("@fs/disk");
      return new FilesystemBackend({ rootDir: place.rootDir });
    }
    case "postgres": {
      const { PostgresBackend } = await import("@fs/postgres");
      return new PostgresBackend({ url: place.url, namespace: NAMESPACE, ...LIMITS });
    }
    case "redis": {
      const { RedisBackend } = await import("@fs/redis");
      return new RedisBackend({ url: place.url, namespace: NAMESPACE, ...LIMITS });
    }
    case "s3": {
      const { S3Backend } = await import("@fs/s3");
      const { endpoint, region, accessKeyId, secretAccessKey, bucket } = place;
      return new S3Backend({
        bucket,
        namespace: NAMESPACE,
        callTimeoutMs: LIMITS.callTimeoutMs,
        connection: {
          endpoint,
          region,
          credentials: { accessKeyId, secretAccessKey },
          connectTimeoutMs: LIMITS.connectTimeoutMs,
          idleTimeoutMs: 2000,
        },
      });
    }
  }
}
