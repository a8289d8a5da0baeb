import { parentPort, workerData } from "node:worker_threads";
import {
  compileGlob,
  compileLinePattern,
  type LinePattern,
  type PathGlob,
} from "@fs/protocol/hooks";
import { buildTree } from "../tree/open-tree.js";
import { scanTree } from "./scan-tree.js";
import { BATCHES_AHEAD, type WorkerMessage, type WorkerRequest } from "./worker-protocol.js";

/** Searches in a thread of its own, so that the event loop of the host stays free. */
async function run(request: WorkerRequest): Promise<void> {
  const tree = buildTree(request.tree);
  const pattern = await compiledPattern(request.pattern);
  const glob = request.glob === undefined ? undefined : compiledGlob(request.glob, request.root);
  for (const hits of scanTree(tree, {
    pattern,
    glob,
    start: request.start,
    limit: request.limit,
    after: request.after,
    onUnreadable: () => send({ unreadable: true }),
  })) {
    if (hits.length === 0) continue;
    send({ hits });
    waitForReader(request.unread);
  }
  send({ done: true });
}

/** Counts a batch, and stops while the reader is far behind: else a large answer would wait in memory as messages. */
function waitForReader(unread: Int32Array): void {
  let ahead = Atomics.add(unread, 0, 1) + 1;
  for (; ahead >= BATCHES_AHEAD; ahead = Atomics.load(unread, 0)) Atomics.wait(unread, 0, ahead);
}

async function compiledPattern(pattern: WorkerRequest["pattern"]): Promise<LinePattern> {
  const compiled = await compileLinePattern(pattern.source, pattern);
  if (compiled.failure !== undefined) throw new Error(compiled.failure.error);
  return compiled.pattern;
}

function compiledGlob(source: string, root: string): PathGlob {
  const compiled = compileGlob(source, root);
  if (compiled.failure !== undefined) throw new Error(compiled.failure.error);
  return compiled.glob;
}

function send(message: WorkerMessage): void {
  // A thread has no origins; the rule means windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(message);
}

await run(workerData as WorkerRequest);
