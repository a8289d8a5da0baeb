import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse, sendOn, sendRefusal, startLoopbackProxy } from "./loopback-proxy.js";

/** What the proxy does to a request instead of passing it on, or around it. */
export type Fault =
  /** Cuts the connection after so many bytes of the request body; the server never sees the request whole. */
  | { readonly kind: "cut-request"; readonly afterBytes: number }
  /** Lets the server act, and cuts the connection instead of passing its answer on. */
  | { readonly kind: "lose-answer" }
  /** Lets the server act, and answers as one that has failed. */
  | { readonly kind: "deny-answer"; readonly status: number; readonly code: string }
  /** Passes the answer's head and so many bytes of its body on, then cuts the connection. */
  | { readonly kind: "cut-answer"; readonly afterBytes: number }
  /** Passes the answer's head and so many bytes of its body on, and then nothing more. */
  | { readonly kind: "stall-answer"; readonly afterBytes: number }
  /** Answers as S3 does when it refuses. */
  | { readonly kind: "refuse"; readonly status: number; readonly code: string }
  /** Answers as a server that has done as it was told, and does nothing. */
  | { readonly kind: "pretend" }
  /** As `pretend`, with a document in the answer. */
  | { readonly kind: "answer"; readonly body: string }
  /** Never answers. */
  | { readonly kind: "silence" };

/** Decides on each request. `undefined` passes it on. */
export type FaultPlan = (
  request: { readonly method: string; readonly url: string },
  count: number,
) => Fault | undefined;

/** A proxy on loopback in front of a real gateway that breaks what its plan says. */
export interface FaultProxy {
  readonly endpoint: string;
  /** Replaces the plan and starts its count anew. */
  plan(plan: FaultPlan): void;
  /** Runs a task once, before the first request is passed on at which the condition is met. */
  after(condition: () => boolean, task: () => Promise<unknown>): Promise<unknown>;
  /** Requests since the last plan. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let current: FaultPlan = () => undefined;
  let requests: string[] = [];
  let waiting: { condition: () => boolean; run: () => Promise<unknown> } | undefined;
  const proxy = await startLoopbackProxy((incoming, outgoing) => {
    if (waiting?.condition() === true) {
      const { run } = waiting;
      waiting = undefined;
      void run().finally(() => proxy.again(incoming, outgoing));
      return;
    }
    const seen = { method: incoming.method ?? "", url: incoming.url ?? "" };
    requests.push(`${seen.method} ${seen.url}`);
    const fault = current(seen, requests.length);
    handle(new URL(target), incoming, outgoing, fault);
  });
  return {
    endpoint: proxy.endpoint,
    after: (condition, task) =>
      new Promise((resolve, reject) => {
        waiting = {
          condition,
          run: () => {
            const running = task();
            running.then(resolve, reject);
            return running;
          },
        };
      }),
    plan: (plan) => {
      current = plan;
      requests = [];
    },
    get requests() {
      return requests;
    },
    stop: () => proxy.stop(),
  };
}

function handle(
  target: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault | undefined,
): void {
  if (fault?.kind === "silence") return;
  if (fault?.kind === "refuse") {
    refuse(incoming, outgoing, fault);
    return;
  }
  if (fault?.kind === "pretend") {
    incoming.resume();
    incoming.once("end", () =>
      outgoing.writeHead(200, { etag: '"0123456789abcdef0123456789abcdef"' }).end(),
    );
    return;
  }
  if (fault?.kind === "answer") {
    incoming.resume();
    incoming.once("end", () =>
      outgoing.writeHead(200, { "content-type": "application/xml" }).end(fault.body),
    );
    return;
  }
  if (fault?.kind === "cut-request") {
    cutRequest(incoming, fault.afterBytes);
    return;
  }
  const upstream = sendOn(target, incoming);
  upstream.on("response", (answer) => {
    if (fault?.kind === "lose-answer") {
      answer.resume();
      answer.once("end", () => incoming.socket.destroy());
      return;
    }
    if (fault?.kind === "deny-answer") {
      answer.resume();
      answer.once("end", () => sendRefusal(incoming, outgoing, fault));
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    if (fault?.kind === "stall-answer") {
      answer.once("data", (chunk: Buffer) => outgoing.write(chunk.subarray(0, fault.afterBytes)));
      return;
    }
    if (fault?.kind === "cut-answer") cutAnswer(answer, outgoing, fault.afterBytes);
    else answer.pipe(outgoing);
  });
}

function cutRequest(incoming: IncomingMessage, afterBytes: number): void {
  let received = 0;
  const cut = (): unknown => incoming.socket.destroy();
  incoming.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > afterBytes) cut();
  });
  incoming.once("end", cut);
}

function cutAnswer(answer: IncomingMessage, outgoing: ServerResponse, afterBytes: number): void {
  let sent = 0;
  answer.on("data", (chunk: Buffer) => {
    const room = afterBytes - sent;
    if (room > 0) outgoing.write(chunk.subarray(0, room));
    sent += chunk.length;
    if (sent >= afterBytes) setTimeout(() => outgoing.destroy(), 5);
  });
  answer.once("end", () => setTimeout(() => outgoing.destroy(), 5));
}
