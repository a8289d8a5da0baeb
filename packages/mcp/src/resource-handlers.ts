import type { Filesystem, CallOptions } from "@fs/protocol";
import { comparePaths } from "@fs/protocol/author";
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { base64Of } from "./call-result.js";
import { FILE_TEMPLATE, pathOf, uriOf } from "./file-uri.js";

/** Files in one page of the list. */
const PAGE_SIZE = 200;

/** Lets a server list the files by page and read each of them by its URI. */
export function serveResources(
  mcp: McpServer,
  backend: Filesystem,
  { maxBytes, first }: { readonly maxBytes: number; readonly first: readonly Resource[] },
): void {
  mcp.registerResource(
    "files",
    new ResourceTemplate(FILE_TEMPLATE, { list: undefined }),
    { title: "Files", description: "A file by its absolute path." },
    (uri, _variables, ctx) => readFile(backend, uri.href, maxBytes, { signal: ctx.mcpReq.signal }),
  );
  // The SDK lists everything at once; a filesystem can be larger than any answer.
  mcp.server.setRequestHandler("resources/list", async ({ params }, ctx) => {
    const after = cursorPath(params?.cursor);
    const page = await pageOf(backend, after, { signal: ctx.mcpReq.signal });
    return after === undefined ? { ...page, resources: [...first, ...page.resources] } : page;
  });
}

async function pageOf(
  backend: Filesystem,
  after: string | undefined,
  options: CallOptions,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const paged = backend.features?.includes("pages") === true;
  const found = await backend.glob(
    "**",
    "/",
    paged ? { ...options, limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) } : options,
  );
  if (found.error !== undefined) throw failed(found.error);
  const rest = found.files.filter(
    ({ path }) => after === undefined || comparePaths(path, after) > 0,
  );
  const page = rest.slice(0, PAGE_SIZE);
  const more = found.nextAfter ?? (rest.length > page.length ? page.at(-1)?.path : undefined);
  return {
    resources: page.map(({ path, size, modified_at }) => ({
      uri: uriOf(path),
      name: path,
      ...(size === undefined ? {} : { size }),
      ...(modified_at === undefined ? {} : { annotations: { lastModified: modified_at } }),
    })),
    ...(more === undefined ? {} : { nextCursor: Buffer.from(more).toString("base64url") }),
  };
}

function cursorPath(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const path = Buffer.from(cursor, "base64url").toString();
  if (!path.startsWith("/"))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      "This cursor is none of this server's.",
    );
  return path;
}

async function readFile(
  backend: Filesystem,
  uri: string,
  maxBytes: number,
  options: CallOptions,
): Promise<ReadResourceResult> {
  const path = pathOf(uri);
  if (path === undefined) throw new ResourceNotFoundError(uri);
  // A file that is too large is not loaded to find that out.
  const { info } = (await backend.stat?.(path, options)) ?? {};
  if ((info?.size ?? 0) > maxBytes) throw tooLarge(path, maxBytes);
  const { data, error, code } = await backend.readRaw(path, options);
  if (code === "not_found" || code === "is_directory") throw new ResourceNotFoundError(uri);
  if (data === undefined) throw failed(error);
  const content = Array.isArray(data.content) ? data.content.join("\n") : data.content;
  const mimeType = "mimeType" in data ? data.mimeType : "text/plain";
  if (content.length > maxBytes) throw tooLarge(path, maxBytes);
  return {
    contents: [
      typeof content === "string"
        ? { uri, mimeType, text: content }
        : { uri, mimeType, blob: base64Of(content) },
    ],
  };
}

function tooLarge(path: string, maxBytes: number): ProtocolError {
  return failed(`${path} is larger than ${maxBytes} bytes; read it page by page with read_file.`);
}

function failed(sentence = "the call failed."): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, sentence);
}
