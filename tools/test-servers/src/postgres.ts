import { chown, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findAccount } from "./accounts.js";
import { Daemon } from "./daemon.js";
import { VARIABLES, postgresFromEnvironment } from "./environment.js";
import { adoptDirectory } from "./orphans.js";
import { freePort, withFreshPorts } from "./ports.js";
import { findPostgres } from "./programs.js";
import { missingReason } from "./requirements.js";
import { externalServer, privateServer, removeDirectory, run } from "./server.js";
import type { StartOptions, TestServer } from "./server.js";

export interface PostgresInfo {
  /** A superuser's connection string, e.g. `postgres://postgres@127.0.0.1:20123/postgres`. */
  readonly url: string;
}

// What a crash of the machine could lose does not matter here, so nothing waits for the disk. But
// synchronous_commit stays on: without it a commit is acknowledged before it has left the process,
// and kill() would lose it.
const SETTINGS = [
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=on",
  "max_connections=200",
];

/** The title of a process that serves a connection: it ends once it notices that its parent is dead, and not before. */
const SERVING = /127\.0\.0\.1\(\d+\)/;

/** A private PostgreSQL (1 to 2 s to start), or the one in FS_TEST_POSTGRES_URL. */
export function startPostgres(options: StartOptions = {}): Promise<TestServer<PostgresInfo>> {
  return withFreshPorts(() => startOnce(options));
}

/**
 * A private standby that streams from a server of {@link startPostgres}, and holds its data when this resolves. Read-only, until
 * `select pg_promote()`.
 */
export function startStandby(
  primary: TestServer<PostgresInfo>,
  options: StartOptions = {},
): Promise<TestServer<PostgresInfo>> {
  return withFreshPorts(() => startOnce(options, primary));
}

async function startOnce(
  options: StartOptions,
  primary?: TestServer<PostgresInfo>,
): Promise<TestServer<PostgresInfo>> {
  const external = postgresFromEnvironment();
  if (external && primary === undefined) return externalServer(external, VARIABLES.postgres);
  const bin = findPostgres();
  if (bin === undefined) throw new Error(missingReason("postgres"));
  const directory = adoptDirectory(await mkdtemp(join(tmpdir(), "fs-postgres-")));
  // PostgreSQL refuses to run as root: hand the directory to its own account and become that.
  const account = process.getuid?.() === 0 ? findAccount("postgres", "nobody") : undefined;
  if (account) await chown(directory, account.uid, account.gid);
  const data = join(directory, "data");
  const port = await freePort();
  const log = join(directory, "server.log");
  let daemon: Daemon | undefined;
  const launch = async (): Promise<void> => {
    const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
    const args = ["-D", data, "-p", `${port}`, "-k", directory, "-h", "127.0.0.1", ...settings];
    daemon = new Daemon({ command: join(bin, "postgres"), args, cwd: directory, log, account });
    await daemon.listening(port);
    await acceptsQueries(join(bin, "pg_isready"), port);
  };
  try {
    const [program, ...args] =
      primary === undefined
        ? [
            "initdb",
            "-U",
            "postgres",
            "--auth=trust",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
          ]
        : [
            "pg_basebackup",
            "-d",
            primary.info.url,
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
          ];
    await run(join(bin, program ?? ""), ["-D", data, ...args], { ...account, cwd: directory });
    await launch();
  } catch (error) {
    await daemon?.signal("SIGKILL");
    await removeDirectory(directory, options);
    throw error;
  }
  return privateServer({
    info: { url: `postgres://postgres@127.0.0.1:${port}/postgres` },
    directory,
    options,
    start: () => untilOrphansAreGone(launch),
    crash: () => daemon?.crash(SERVING) ?? Promise.resolve(),
    end: () => daemon?.signal("SIGQUIT") ?? Promise.resolve(),
  });
}

/** It listens before it accepts anybody: `pg_isready` does not wait for that, it answers that the server refuses. */
async function acceptsQueries(program: string, port: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await run(program, ["-h", "127.0.0.1", "-p", `${port}`, "-t", "30"]);
      return;
    } catch (error) {
      if (attempt === 300) throw error;
      await sleep(100);
    }
  }
}

/**
 * After a SIGKILL of the main process its workers need a moment to notice; until they have gone,
 * a new one refuses to start on their shared memory.
 */
async function untilOrphansAreGone(launch: () => Promise<void>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await launch();
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(100);
    }
  }
}
