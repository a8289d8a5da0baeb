import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { PostgresBackend } from "@fs/postgres";
import {
  openFaultyLink,
  startCeph,
  startPostgres,
  startRedis,
  type FaultyLink,
} from "@fs/test-servers";
import { NAMESPACE, type Place } from "./open-backend.js";
import type { StorageName } from "./storage-name.js";

/** A storage under trial. */
export interface Storage {
  /** As the workers reach it, through the link if there is one. */
  readonly place: Place;
  /** As it is reached past every fault. */
  readonly direct: Place;
  /** A disk has none. */
  readonly link?: FaultyLink;
  /** Kills the server and starts it again on the same data. */
  readonly restart?: () => Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server for a storage, and a link to it. */
export async function startStorage(name: StorageName, folder: string): Promise<Storage> {
  switch (name) {
    case "disk": {
      const rootDir = join(folder, "disk");
      mkdirSync(rootDir);
      const place: Place = { storage: "disk", rootDir };
      return { place, direct: place, stop: () => Promise.resolve() };
    }
    case "postgres": {
      const server = await startPostgres();
      const { url } = server.info;
      await using backend = new PostgresBackend({ url, namespace: NAMESPACE });
      await backend.setup();
      return behindLink(server, url, (address) => ({ storage: "postgres", url: address }));
    }
    case "redis": {
      const server = await startRedis({ durable: true });
      const { url } = server.info;
      return behindLink(server, url, (address) => ({ storage: "redis", url: address }));
    }
    case "s3": {
      const server = await startCeph();
      const { endpoint, ...rest } = server.info;
      const bucket = `soak-${randomUUID().slice(0, 8)}`;
      const { region, ...credentials } = rest;
      const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
      await client.send(new CreateBucketCommand({ Bucket: bucket }));
      client.destroy();
      return behindLink(server, endpoint, (address) => ({
        storage: "s3",
        ...rest,
        endpoint: address,
        bucket,
      }));
    }
  }
}

interface Server {
  readonly external: boolean;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

async function behindLink(
  server: Server,
  address: string,
  placeAt: (address: string) => Place,
): Promise<Storage> {
  const url = new URL(address);
  const link = await openFaultyLink(Number(url.port));
  const linked = address.replace(`:${url.port}`, `:${link.port}`);
  return {
    place: placeAt(linked),
    direct: placeAt(address),
    link,
    ...(server.external
      ? {}
      : {
          restart: async () => {
            await server.kill();
            await server.restart();
          },
        }),
    stop: async () => {
      await link.stop();
      await server.stop();
    },
  };
}
