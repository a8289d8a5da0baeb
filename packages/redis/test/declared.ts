import { DEFAULT_MAX_FILE_BYTES } from "@fs/redis";

/** What the harnesses of this package declare. */
export const profile = {
  durable: true,
  watch: true,
  limits: { fileBytes: DEFAULT_MAX_FILE_BYTES },
};
export const secrets = ["redis://", "127.0.0.1", "EVALSHA"];
