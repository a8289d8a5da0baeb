import type {
  AuthMetadataOptions,
  BearerAuthOptions,
  OAuthTokenVerifier,
} from "@modelcontextprotocol/server";
import type { McpOptions } from "./options.js";

/** Who may call, by an OAuth authorization server. */
export interface OAuthOptions extends Pick<BearerAuthOptions, "requiredScopes"> {
  /** Checks a token. */
  readonly verifier: OAuthTokenVerifier;
  /** What clients are told of the authorization server and this resource. */
  readonly metadata: AuthMetadataOptions;
}

/** Options of {@link serveHttp}. */
export interface HttpOptions extends McpOptions {
  /** The address to listen on. Default `127.0.0.1`; another than loopback needs {@link token} or {@link oauth}. */
  readonly host?: string;
  /** Default 0: one that is free. */
  readonly port?: number;
  /** The path of the endpoint. Default `/mcp`. */
  readonly path?: string;
  /** A secret of at least 16 characters that a client sends as bearer token. */
  readonly token?: string;
  /** Who may call, by an OAuth authorization server, instead of {@link token}. */
  readonly oauth?: OAuthOptions;
  /** Names in the `Host` header that are answered, without a port. Default: those of loopback, and {@link host}. */
  readonly allowedHosts?: readonly string[];
  /** Hosts of the `Origin` header that are answered. A request without one is no browser's. Default: {@link allowedHosts}. */
  readonly allowedOrigins?: readonly string[];
  /** Bytes a request may have. Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Requests that are answered at a time; more are refused with 503. Default 64. */
  readonly maxConcurrent?: number;
  /** Milliseconds that a client may take to send a request. Default 30,000. */
  readonly requestTimeoutMs?: number;
}

const LOOPBACK = ["127.0.0.1", "localhost", "::1", "[::1]"];

/** The types of what {@link HttpOptions} adds. */
export const HTTP_TYPES: Readonly<Record<string, string>> = {
  host: "string",
  port: "number",
  path: "string",
  token: "string",
  oauth: "object",
  allowedHosts: "object",
  allowedOrigins: "object",
  maxBodyBytes: "number",
  maxConcurrent: "number",
  requestTimeoutMs: "number",
};

/** The options with every default filled in. */
export interface HttpSettings {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly token: string | undefined;
  readonly oauth: OAuthOptions | undefined;
  readonly allowedHosts: string[];
  readonly allowedOrigins: string[];
  readonly maxBodyBytes: number;
  readonly maxConcurrent: number;
  readonly requestTimeoutMs: number;
}

/** The options with every default filled in. Throws a TypeError for those that are wrong or would let anybody in. */
export function httpSettings(options: HttpOptions): HttpSettings {
  const { host = "127.0.0.1", port = 0, path = "/mcp", token, oauth } = options;
  if (host === "") throw new TypeError("'host' must not be empty.");
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError("'port' must be a number from 0 to 65535.");
  if (!path.startsWith("/")) throw new TypeError("'path' must start with '/'.");
  if (token !== undefined && token.length < 16)
    throw new TypeError("'token' must have at least 16 characters.");
  if (token !== undefined && oauth !== undefined)
    throw new TypeError("Give 'token' or 'oauth', not both.");
  if (!LOOPBACK.includes(host) && token === undefined && oauth === undefined)
    throw new TypeError("A server that others can reach needs a 'token' or 'oauth'.");
  const { allowedHosts = [...LOOPBACK, host], allowedOrigins = allowedHosts } = options;
  const { maxBodyBytes = 4 * 1024 * 1024, maxConcurrent = 64, requestTimeoutMs = 30_000 } = options;
  for (const [name, value] of Object.entries({ maxBodyBytes, maxConcurrent, requestTimeoutMs }))
    if (!Number.isInteger(value) || value < 1)
      throw new TypeError(`'${name}' must be a whole number above 0.`);
  return {
    host,
    port,
    path,
    token,
    oauth,
    allowedHosts: [...allowedHosts],
    allowedOrigins: [...allowedOrigins],
    maxBodyBytes,
    maxConcurrent,
    requestTimeoutMs,
  };
}
