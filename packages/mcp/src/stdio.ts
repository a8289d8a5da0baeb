import type { AnyBackendProtocol } from "@fs/protocol";
import { guardListener } from "@fs/protocol/author";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { fileServer } from "./file-server.js";
import { checkOptions, type McpOptions } from "./options.js";

/** A server that is running. */
export interface RunningServer {
  /** Ends the server. */
  readonly close: () => Promise<void>;
}

/**
 * Serves a backend on the process' standard input and output, which belong to the protocol from here on: log elsewhere.
 *
 * @example
 * const server = await serveStdio(new FilesystemBackend({ rootDir: "./docs" }));
 */
export async function serveStdio(
  backend: AnyBackendProtocol,
  options: McpOptions = {},
): Promise<RunningServer> {
  checkOptions(backend, options);
  const { factory, changes } = await fileServer(backend, options);
  const handle = serve(factory, {
    onerror: (error) => guardListener(() => options.onError?.(error)),
  });
  return {
    close: async () => {
      changes?.close();
      await handle.close();
    },
  };
}
