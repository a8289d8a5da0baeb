import { spawnSync } from "node:child_process";
import { VARIABLES } from "./environment.js";
import { findChromium, findPostgres, findProgram } from "./programs.js";

/** What a suite may need from the machine. */
export const REQUIREMENTS = [
  "postgres",
  "redis",
  "redis-cluster",
  "s3",
  "bubblewrap",
  "busybox",
  "chromium",
] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

export const CEPH_PROGRAMS = [
  "ceph",
  "ceph-mon",
  "ceph-osd",
  "monmaptool",
  "radosgw",
  "radosgw-admin",
] as const;

/** Why this machine cannot meet a requirement, as one sentence; undefined when it can. */
export function missingReason(requirement: Requirement): string | undefined {
  switch (requirement) {
    case "postgres":
      if (isSet(VARIABLES.postgres) || findPostgres() !== undefined) return undefined;
      return `no PostgreSQL server: set ${VARIABLES.postgres} or install "postgresql"`;
    case "redis":
      if (isSet(VARIABLES.redis) || findProgram("redis-server") !== undefined) return undefined;
      return `no Redis server: set ${VARIABLES.redis} or install "redis-server"`;
    case "redis-cluster":
      if (isSet(VARIABLES.redisCluster)) return undefined;
      if (["redis-server", "redis-cli"].every((name) => findProgram(name) !== undefined))
        return undefined;
      return `no Redis cluster: set ${VARIABLES.redisCluster} or install "redis-server"`;
    case "s3": {
      if (isSet(VARIABLES.s3)) return undefined;
      const missing = CEPH_PROGRAMS.filter((name) => findProgram(name) === undefined);
      if (missing.length === 0) return undefined;
      return `no S3 server (missing ${missing.join(", ")}): set ${VARIABLES.s3} or install "radosgw ceph-mon ceph-osd"`;
    }
    case "bubblewrap":
      return missingBubblewrap();
    case "chromium":
      return findChromium() === undefined ? `no Chromium: install "chromium"` : undefined;
    case "busybox":
      return findProgram("busybox") === undefined ? `no busybox: install "busybox"` : undefined;
  }
}

function missingBubblewrap(): string | undefined {
  const bwrap = findProgram("bwrap");
  if (bwrap === undefined) return `no bubblewrap: install "bubblewrap"`;
  // A container may forbid the namespaces that it lives by.
  const probe = spawnSync(bwrap, ["--ro-bind", "/", "/", "--unshare-pid", "true"], {
    encoding: "utf8",
  });
  return probe.status === 0
    ? undefined
    : `bubblewrap cannot make a sandbox here: ${probe.stderr.trim() || `exit ${probe.status}`}`;
}

function isSet(name: string): boolean {
  return (process.env[name] ?? "") !== "";
}

/**
 * The rule for a suite whose requirement is missing: undefined means run it, a sentence means skip
 * it and say so. Under `CI=true` nothing may be skipped for want of a server: then this throws.
 */
export function skipReason(...requirements: readonly Requirement[]): string | undefined {
  const reasons = requirements.map(missingReason).filter((reason) => reason !== undefined);
  if (reasons.length === 0) return undefined;
  const reason = reasons.join("; ");
  if (process.env["CI"] === "true") throw new Error(`CI runs every suite, but: ${reason}`);
  return reason;
}

/** Names a skipped suite on standard error, where no reporter can hide it. */
export function announceSkip(suite: string, reason: string): void {
  process.stderr.write(`\nSKIPPED: ${suite} - ${reason}\n`);
}
