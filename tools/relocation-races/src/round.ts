import { setTimeout as delay } from "node:timers/promises";
import { CompositeBackend, type Filesystem, MemoryBackend } from "@fs/protocol";
import { Ledger } from "./ledger.js";
import { throughWeather } from "./seam.js";

/** Two ends of a round: the storages themselves, and what is mounted. */
export interface Ends {
  readonly source: Filesystem;
  readonly target: Filesystem;
}

/** A router over mounts, as {@link CompositeBackend} is one. */
export type Router = new (
  base: Filesystem,
  mounts: Readonly<Record<string, Filesystem>>,
) => Pick<CompositeBackend, "move" | "copy">;

export interface RoundOptions {
  readonly kind: "move" | "copy";
  readonly tree: boolean;
  readonly overwrite: boolean;
  /** Whether one end crashes after any of its calls. */
  readonly crash: boolean;
  readonly random: () => number;
  readonly latencyMs: number;
  readonly router?: Router;
}

/** Calls on one end in which a crash is placed. */
const CRASH_WINDOW = 14;
const FILES_OF_A_TREE = 5;

/**
 * One relocation from `/a` to `/b` beside edits, writes, creates and removals at both ends. Returns what is wrong with the
 * contents that lie there afterwards, judged by a ledger of what was acknowledged; nothing when all is well.
 */
export async function runRound(ends: Ends, options: RoundOptions): Promise<string[]> {
  const { kind, tree, overwrite, crash, random, latencyMs, router = CompositeBackend } = options;
  const names = tree ? Array.from({ length: FILES_OF_A_TREE }, (_, n) => `d/f${n}.txt`) : ["d"];
  const ledger = new Ledger();
  for (const name of names) await ledger.create(ends.source, `/${name}`, "source", "seeded");
  const standing = overwrite && random() < 0.6 ? names.filter(() => random() < 0.5) : [];
  for (const name of standing)
    await ledger.create(ends.target, `/${name}`, "target", "replaceable");

  const crashed = crash ? (random() < 0.5 ? "source" : "target") : undefined;
  const weather = (end: "source" | "target"): Filesystem =>
    throughWeather(ends[end], {
      random,
      latencyMs,
      crashAt: crashed === end ? Math.floor(random() * CRASH_WINDOW) : Infinity,
      effectOfCrash: random() < 0.5,
    });
  const all = new router(new MemoryBackend(), {
    "/a/": weather("source"),
    "/b/": weather("target"),
  });
  const sometime = (): Promise<unknown> => delay(random() * latencyMs * 12);
  const rivals = names.flatMap((name) => [
    sometime().then(() => ledger.edit(ends.source, `/${name}`, "source")),
    sometime().then(() => ledger.edit(ends.target, `/${name}`, "target")),
    ...(random() < 0.3
      ? [sometime().then(() => ledger.create(ends.target, `/${name}`, "target", "rival"))]
      : []),
    ...(random() < 0.2 ? [sometime().then(() => ledger.remove(ends.source, `/${name}`))] : []),
  ]);
  if (tree)
    rivals.push(sometime().then(() => ledger.create(ends.source, "/d/new.txt", "source", "late")));
  const relocated = all[kind]("/a/d", "/b/d", { overwrite });
  await Promise.all(rivals);
  const result = await relocated;
  return ledger.audit(ends, {
    kind,
    overwrite,
    succeeded: result.error === undefined,
    certain: crashed === undefined && result.code !== "unavailable",
    outcome: result.error ?? "ok",
  });
}
