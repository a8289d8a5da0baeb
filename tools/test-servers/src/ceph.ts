import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cephConfig } from "./ceph-config.js";
import { Daemon } from "./daemon.js";
import { VARIABLES, s3FromEnvironment } from "./environment.js";
import { adoptDirectory } from "./orphans.js";
import { freePort, withFreshPorts } from "./ports.js";
import { findProgram } from "./programs.js";
import { missingReason } from "./requirements.js";
import { externalServer, privateServer, removeDirectory, run } from "./server.js";
import type { StartOptions, TestServer } from "./server.js";

export interface S3Info {
  /** E.g. `http://127.0.0.1:20123`; use path-style addressing. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** What an `S3Client` is made with to reach such a server, which does not know the checksums that newer clients add. */
export function s3ClientConfig({ endpoint, region, accessKeyId, secretAccessKey }: S3Info) {
  return {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  } as const;
}

/**
 * A private one-node Ceph object store (1.5 to 3 s to start): one monitor, one storage daemon that
 * keeps its data in memory, one S3 gateway. Or the S3 server in FS_TEST_S3_ENDPOINT.
 *
 * kill() and restart() act on the gateway, the process that clients talk to; the storage daemon,
 * which holds what the gateway acknowledged, lives on.
 */
export function startCeph(options: StartOptions = {}): Promise<TestServer<S3Info>> {
  return withFreshPorts(() => startOnce(options));
}

async function startOnce(options: StartOptions): Promise<TestServer<S3Info>> {
  const external = s3FromEnvironment();
  if (external) return externalServer(external, VARIABLES.s3);
  const missing = missingReason("s3");
  if (missing !== undefined) throw new Error(missing);
  const directory = adoptDirectory(await mkdtemp(join(tmpdir(), "fs-ceph-")));
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()];
  const keys = { accessKeyId: "test", secretAccessKey: randomBytes(16).toString("hex") };
  const conf = join(directory, "ceph.conf");
  const daemon = (name: string, ...args: string[]): Daemon =>
    new Daemon({
      command: program(name),
      args: ["-f", "-c", conf, ...args],
      cwd: directory,
      log: join(directory, "log", `${name}.out`),
    });
  const ceph = (name: string, ...args: string[]): Promise<unknown> =>
    run(program(name), name === "monmaptool" ? args : ["-c", conf, ...args]);

  let gateway: Daemon | undefined;
  let storage: Daemon | undefined;
  let monitor: Daemon | undefined;
  const startGateway = async (): Promise<void> => {
    // Without it every answer with a body waits 40 ms for the acknowledgement of its headers.
    const frontend = `--rgw-frontends=beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1`;
    gateway = daemon("radosgw", "-n", "client.rgw", frontend);
    await gateway.listening(gatewayPort);
  };
  const end = async (): Promise<void> => {
    for (const each of [gateway, storage, monitor]) await each?.signal("SIGKILL");
  };
  try {
    for (const folder of ["mon.a", "osd.0", "run", "log"]) await mkdir(join(directory, folder));
    const fsid = randomUUID();
    await writeFile(conf, cephConfig({ directory, fsid, monitorPort }));
    const map = join(directory, "monmap");
    const address = `[v2:127.0.0.1:${monitorPort}]`;
    await ceph("monmaptool", "--create", "--clobber", "--fsid", fsid, "--addv", "a", address, map);
    await ceph("ceph-mon", "-i", "a", "--mkfs", "--monmap", map);
    monitor = daemon("ceph-mon", "-i", "a");
    await monitor.listening(monitorPort);
    const osd = randomUUID();
    await ceph("ceph", "osd", "new", osd);
    await ceph("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", osd);
    storage = daemon("ceph-osd", "-i", "0");
    await ceph(
      "radosgw-admin",
      "-n",
      "client.rgw",
      "user",
      "create",
      "--uid=test",
      "--display-name=test",
      `--access-key=${keys.accessKeyId}`,
      `--secret-key=${keys.secretAccessKey}`,
    );
    await startGateway();
  } catch (error) {
    await end();
    await removeDirectory(directory, options);
    throw error;
  }
  return privateServer({
    info: { endpoint: `http://127.0.0.1:${gatewayPort}`, region: "us-east-1", ...keys },
    directory,
    options,
    start: startGateway,
    crash: () => gateway?.signal("SIGKILL") ?? Promise.resolve(),
    end,
  });
}

function program(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`no ${name} on this machine`);
  return path;
}
