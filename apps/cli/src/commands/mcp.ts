import { printable } from "../printable.js";
import type { Context, Options, Run } from "../context.js";
import { EXIT } from "../exit-codes.js";
import { textOption, wholeNumber } from "../numbers.js";
import { UsageError } from "../usage-error.js";
import { VERSION } from "../version.js";

/** `mcp`: serves the tree until it is interrupted or its client is gone. Standard output belongs to the protocol. */
export const run: Run = async (context, _args, options) => {
  const { backend, redact } = await context.open();
  const { serveHttp, serveStdio } = await import("@fs/mcp");
  const skills = textOption(options, "skills");
  const shared = {
    write: options["write"] === true,
    name: "fs-agent",
    version: VERSION,
    ...(skills === undefined ? {} : { skills }),
    onError: (error: unknown) => {
      const message = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
      process.stderr.write(`${printable(redact(message))}\n`);
    },
  };
  if (options["http"] !== true) {
    const server = await serveStdio(backend, shared);
    await ended(context.signal, true);
    await server.close();
    return EXIT.ok;
  }
  const server = await asUsage(() => serveHttp(backend, { ...shared, ...httpOptions(options) }));
  context.output.note(`Listening on ${server.url}`);
  await ended(context.signal, false);
  await server.close();
  return EXIT.ok;
};

function httpOptions(options: Options) {
  const host = textOption(options, "host");
  const variable = textOption(options, "tokenEnv");
  const token = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && (token === undefined || token === ""))
    throw new UsageError(`--token-env names the variable ${variable}, which is not set.`);
  const names = options["allowedHost"];
  return {
    port: wholeNumber(options, "port", 0),
    ...(host === undefined ? {} : { host }),
    ...(token === undefined ? {} : { token }),
    ...(Array.isArray(names)
      ? { allowedHosts: ["127.0.0.1", "localhost", "[::1]", ...names] }
      : {}),
  };
}

async function asUsage<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

/** Resolves when the person interrupts, or the client on standard input is gone. */
async function ended(signal: Context["signal"], stdio: boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (!stdio) return;
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
}
