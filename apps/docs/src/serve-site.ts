import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Serves a built site on a free port of this machine. Addresses need no extension, as on the hosts it is made for. */
export async function serveSite(
  folder: string,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname);
    const candidates = [path, `${path}.html`, join(path, "index.html")];
    const answer = async (): Promise<void> => {
      for (const candidate of candidates) {
        const found = await contentOf(join(folder, normalize(candidate)));
        if (found === undefined) continue;
        const type = TYPES[extname(candidate)] ?? "application/octet-stream";
        response.writeHead(200, { "content-type": type }).end(found);
        return;
      }
      response.writeHead(404).end();
    };
    answer().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    // Stays, so that a later error ends in nothing worse than a page that does not load.
    server.on("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
