import type { IncomingMessage, ServerResponse } from "node:http";
import { HeadObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { KeyTurns } from "./key-turns.js";
import { type LoopbackProxy, refuse, sendOn, startLoopbackProxy } from "./loopback-proxy.js";

/** A request that changes one object. */
interface Change {
  readonly Bucket: string;
  readonly Key: string;
  /** The tag that the object must have. */
  readonly ifMatch: string | undefined;
  readonly isConditional: boolean;
}

/**
 * Puts the conditions of AWS before a real gateway that ignores them on DELETE, as
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-deletes.html has them: a deletion is refused with 412 where the
 * object has another tag or is not there, and any change with a condition with 409 where another change of the object has succeeded
 * while it was under way. Changes of one object are made one after another, so that the look at a tag and the deletion are one step:
 * every client has to come this way.
 *
 * @param client Past the proxy, for the look.
 */
export async function startConditionalDeletes(
  endpoint: string,
  client: S3Client,
): Promise<LoopbackProxy> {
  const target = new URL(endpoint);
  const turns = new KeyTurns();
  return startLoopbackProxy((incoming, outgoing) => {
    const change = changeOf(incoming);
    const passed = (): Promise<boolean> => passOn(target, incoming, outgoing);
    const done =
      change === undefined
        ? passed()
        : change === "many"
          ? turns.takeAll(passed)
          : turns.take(`${change.Bucket}/${change.Key}`, async (overtaken) => {
              const refusal = await refusalOf(incoming, change, overtaken, client);
              if (refusal === undefined) return passed();
              refuse(incoming, outgoing, refusal);
              return false;
            });
    // What cannot be answered is a connection that is cut, as by a gateway that fails.
    done.catch(() => outgoing.destroy());
  });
}

async function refusalOf(
  { method }: IncomingMessage,
  { Bucket, Key, ifMatch, isConditional }: Change,
  overtaken: boolean,
  client: S3Client,
): Promise<{ status: number; code: string } | undefined> {
  if (overtaken && isConditional) return { status: 409, code: "ConditionalRequestConflict" };
  if (method !== "DELETE" || ifMatch === undefined) return undefined;
  const tag = await client.send(new HeadObjectCommand({ Bucket, Key })).then(
    ({ ETag }) => bare(ETag),
    (error: Error) => {
      if (error.name === "NotFound") return undefined;
      throw error;
    },
  );
  return tag === ifMatch ? undefined : { status: 412, code: "PreconditionFailed" };
}

/** Returns whether the gateway has done it. */
function passOn(
  target: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<boolean> {
  // Its client gave up while it waited.
  if (incoming.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const upstream = sendOn(target, incoming);
    upstream.on("response", (answer) => {
      const { statusCode = 502 } = answer;
      answer.once("end", () => resolve(statusCode < 300));
      outgoing.writeHead(statusCode, answer.headers);
      outgoing.once("close", () => answer.resume());
      answer.pipe(outgoing);
    });
    upstream.once("close", () => resolve(false));
    incoming.once("close", () => {
      if (!incoming.complete) upstream.destroy();
    });
  });
}

/** What a request changes. The parts of an upload change nothing before they are put together. */
function changeOf({ method, url = "", headers }: IncomingMessage): Change | "many" | undefined {
  const { pathname, searchParams } = new URL(url, "http://gateway");
  const [, bucket = "", ...rest] = pathname.split("/");
  const Key = decodeURIComponent(rest.join("/"));
  if (method === "POST" && searchParams.has("delete")) return "many";
  const completes = method === "POST" && searchParams.has("uploadId");
  const isChange =
    completes || ((method === "PUT" || method === "DELETE") && !searchParams.has("uploadId"));
  if (!isChange || Key === "") return undefined;
  const ifMatch = bare(headers["if-match"]);
  const isConditional = ifMatch !== undefined || headers["if-none-match"] !== undefined;
  return { Bucket: bucket, Key, ifMatch, isConditional };
}

function bare(tag: string | undefined): string | undefined {
  return tag?.replaceAll('"', "");
}
