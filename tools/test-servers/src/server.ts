import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { forgetDirectory } from "./orphans.js";

/** Runs a program to its end; rejects with its standard error in the message when it fails. */
export const run = promisify(execFile);

/** A private server: its own data directory, loopback only, gone after stop(). */
export interface TestServer<Info> {
  /** How to reach it. Stays true over kill() and restart(): same port, same data. */
  readonly info: Info;
  /** Its folder (data, sockets, logs); undefined for a server named in the environment. */
  readonly directory: string | undefined;
  /** True for a server named in the environment: shared, never stopped, cannot be killed. */
  readonly external: boolean;
  /** Ends the server and removes its data. Does nothing the second time. */
  stop(): Promise<void>;
  /**
   * Ends it as a crash would (SIGKILL), keeping its data. Resolves once it is really gone, so that
   * connections are refused. Rejects for an external server.
   */
  kill(): Promise<void>;
  /** Starts it again after kill(), on the same port and data. Rejects for an external server. */
  restart(): Promise<void>;
}

export interface StartOptions {
  /** Leaves data and logs in place after stop(), to look into a failure. Default false. */
  readonly keepDirectory?: boolean;
}

/** The lifecycle that every private server shares, over its own way to start and to be ended. */
export function privateServer<Info>(server: {
  readonly info: Info;
  readonly directory: string;
  readonly options: StartOptions;
  start(): Promise<void>;
  crash(): Promise<void>;
  end(): Promise<void>;
}): TestServer<Info> {
  let state: "running" | "killed" | "stopped" = "running";
  const { info, directory, options } = server;
  return {
    info,
    directory,
    external: false,
    async kill() {
      if (state !== "running") throw new Error(`cannot kill a ${state} server`);
      state = "killed";
      await server.crash();
    },
    async restart() {
      if (state !== "killed") throw new Error(`cannot restart a ${state} server: kill() it first`);
      await server.start();
      state = "running";
    },
    async stop() {
      if (state === "stopped") return;
      state = "stopped";
      await server.end();
      await removeDirectory(directory, options);
    },
  };
}

export async function removeDirectory(directory: string, options: StartOptions): Promise<void> {
  forgetDirectory(directory);
  if (options.keepDirectory !== true)
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** A server that somebody else runs, named in an environment variable. */
export function externalServer<Info>(info: Info, variable: string): TestServer<Info> {
  const unsupported = (): Promise<never> =>
    Promise.reject(new Error(`the server in ${variable} is not ours to kill or restart`));
  return {
    info,
    directory: undefined,
    external: true,
    stop: () => Promise.resolve(),
    kill: unsupported,
    restart: unsupported,
  };
}
