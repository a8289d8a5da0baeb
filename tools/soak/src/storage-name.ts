/** The storages that a soak can work on. */
export const STORAGES = ["disk", "postgres", "redis", "s3"] as const;
export type StorageName = (typeof STORAGES)[number];
