import { parentPort, workerData } from "node:worker_threads";
import {
  compileGlob,
  compileLinePattern,
  type LinePattern,
  type PathGlob,
} from "@fs/protocol/hooks";
import { buildTree } from "../tree/open-tree.js";
import { scanTree } from "./scan-tree.js";
import type { WorkerMessage, WorkerRequest } from "./worker-protocol.js";

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
    if (hits.length > 0) send({ hits });
  }
  send({ done: true });
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
