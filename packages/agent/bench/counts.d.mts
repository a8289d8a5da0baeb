import type { createDeepAgent } from "deepagents";

type Create = typeof createDeepAgent;

/** Tokens (o200k) of the prompt and of the tools' schemas that a model is sent. */
export function tokens(createDeepAgent: Create, options?: object): Promise<number>;
/** How many of parallel subagents' edits of one file were answered as done, and how many are there. */
export function parallelEdits(
  createDeepAgent: Create,
  count: number,
  asking: boolean,
): Promise<{ acknowledged: number; kept: number }>;
/** Bytes that a turn with two subagents stores in a thread with 1,000 files of 4,000 bytes. */
export function storedByTwoSubagents(createDeepAgent: Create): Promise<number>;
/** What each of so many turns of one thread stores and reads. */
export function turnCounts(
  createDeepAgent: Create,
  turns: number,
): Promise<Array<{ stored: number; loads: number; bytes: number }>>;
/** How often a backend with so many skills is called for a run. */
export function skillCalls(createDeepAgent: Create, count: number): Promise<number>;
