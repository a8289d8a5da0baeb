import type { S3Client } from "@aws-sdk/client-s3";

/** What a client asked a gateway for. */
export interface Asked {
  /** Names of a page that is asked for with a delimiter. */
  names: number;
  /** What a listing begins after is left out of requests, as if the gateway took no notice of it. */
  startsIgnored: boolean;
  lists: number;
  gets: number;
  deletions: number;
  /** Requests under way, and the most listings that were at once. */
  underWay: number;
  listing: number;
  mostListing: number;
}

/** Lets a client ask for pages of so many keys, so that a tree of hundreds has as many pages as one of a hundred thousand. */
export function withSmallPages(client: S3Client, keys: number): Asked {
  const asked: Asked = {
    names: keys,
    startsIgnored: false,
    lists: 0,
    gets: 0,
    deletions: 0,
    underWay: 0,
    listing: 0,
    mostListing: 0,
  };
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (args) => {
        const isList = commandName === "ListObjectsV2Command";
        if (isList) {
          asked.lists++;
          asked.mostListing = Math.max(asked.mostListing, ++asked.listing);
        }
        if (commandName === "GetObjectCommand") asked.gets++;
        if (commandName === "DeleteObjectsCommand") asked.deletions++;
        asked.underWay++;
        try {
          if (!isList) return await next(args);
          const { StartAfter, ...others } = args.input as {
            StartAfter?: string;
            Delimiter?: string;
          };
          const start = asked.startsIgnored || StartAfter === undefined ? {} : { StartAfter };
          const MaxKeys = others.Delimiter === undefined ? keys : asked.names;
          return await next({ ...args, input: { MaxKeys, ...others, ...start } } as typeof args);
        } finally {
          asked.underWay--;
          if (isList) asked.listing--;
        }
      },
    { step: "initialize", name: "smallPages" },
  );
  return asked;
}

/** Begins to count anew. */
export function reset(asked: Asked): void {
  Object.assign(asked, { lists: 0, gets: 0, deletions: 0, mostListing: 0 });
}
