import type { OutOfBand } from "@fs/conformance";
import type { Cluster, Redis } from "ioredis";
import { pathMember } from "./path-member.js";

/** Files written and read with plain commands, past every script: what the layout promises, seen from outside. */
export function rawFiles(client: Redis | Cluster, ns: string): OutOfBand {
  const key = (name: string): string => `fs:{${ns}}:${name}`;
  return {
    put: async (path, bytes) => {
      const now = Date.now();
      const version = `raw-${now}-${Math.random()}`;
      const text = bytes.includes(0) ? 0 : 1;
      await client.hset(key("files"), {
        [`c${path}`]: Buffer.from(bytes),
        [`m${path}`]: `${version} ${bytes.length} ${now} ${now} ${text}`,
      });
      await client.zadd(key("paths"), 0, pathMember(path));
    },
    get: async (path) => (await client.hgetBuffer(key("files"), `c${path}`)) ?? undefined,
  };
}
