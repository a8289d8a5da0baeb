/**
 * Any filesystem backend as a Model Context Protocol server, over stdio and streamable HTTP.
 *
 * @module
 */
export { fileServer, type FileServer } from "./file-server.js";
export { serveHttp, type HttpServer } from "./http.js";
export type { HttpOptions, OAuthOptions } from "./http-options.js";
export type { McpOptions } from "./options.js";
export { serveStdio, type RunningServer } from "./stdio.js";
