import type { BackendProtocolV2 } from "@fs/protocol";
import type { Harness } from "../harness/harness.js";
import type { DeclaredProfile } from "../harness/profile.js";
import { DriverProcess } from "./driver-process.js";

export interface DriverOptions {
  /** For the report. Default: the command. */
  readonly name?: string;
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Its working directory. Default: this process's. */
  readonly cwd?: string;
  /** What the backend claims. Signals cannot be passed on, so `signals` is always `false`. */
  readonly profile?: DeclaredProfile;
  /** Milliseconds a call may take, and a quarter of what a case may. Default 20,000. */
  readonly timeoutMs?: number;
}

/** What a driver answers to `create`. */
interface Opened {
  readonly methods?: unknown;
  readonly features?: unknown;
}

/**
 * A harness for a backend in any language, behind a driver: a program that reads requests from standard input and writes
 * answers to standard output, one JSON object a line. `docs/conformance.md` describes them.
 *
 * @example
 * const report = await runConformance(driverHarness({ command: ["python3", "driver.py"] }));
 */
export function driverHarness(options: DriverOptions): Harness {
  const { command, cwd, profile = {}, timeoutMs } = options;
  let driver: DriverProcess | undefined;
  const running = (): DriverProcess => (driver ??= new DriverProcess(command, cwd));
  const open = async (ns: string, client: string): Promise<BackendProtocolV2> => {
    const opened = (await running().ask({ do: "create", ns, client })) as Opened;
    return backendOf(running(), { ns, client }, opened);
  };
  return {
    name: options.name ?? command.join(" "),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    profile: { ...profile, signals: false },
    create: async ({ ns }) => ({
      backend: await open(ns, "first"),
      dispose: async () => {
        await running().ask({ do: "dispose", ns });
      },
    }),
    peer: ({ ns }) => open(ns, "second"),
    teardown: async () => {
      await driver?.end();
      driver = undefined;
    },
  };
}

function backendOf(
  driver: DriverProcess,
  place: { readonly ns: string; readonly client: string },
  { methods, features }: Opened,
): BackendProtocolV2 {
  const names = Array.isArray(methods) ? methods.filter((name) => typeof name === "string") : [];
  const calls = names.map((method): [string, (...args: unknown[]) => Promise<unknown>] => [
    method,
    (...args) => driver.ask({ do: "call", ...place, method, args: withoutTail(args) }),
  ]);
  return {
    ...Object.fromEntries(calls),
    ...(Array.isArray(features) ? { features } : {}),
  } as unknown as BackendProtocolV2;
}

/** Arguments without the undefined ones at their end, which other languages do not pass. */
function withoutTail(args: readonly unknown[]): unknown[] {
  return args.slice(0, args.findLastIndex((value) => value !== undefined) + 1);
}
