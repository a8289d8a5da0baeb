import {
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
  requireBearerAuth,
  type AuthInfo,
} from "@modelcontextprotocol/server";
import { createHash, timingSafeEqual } from "node:crypto";
import type { HttpSettings } from "./http-options.js";

/** Who calls, or the answer that refuses the call; `undefined` where anybody on this machine may. */
export type Authenticate = (request: Request) => Promise<AuthInfo | Response | undefined>;

/** How callers are checked. */
export function authenticator({ token, oauth }: HttpSettings): Authenticate {
  if (token !== undefined) {
    const wanted = digestOf(token);
    return async (request) => {
      const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
      if (given !== undefined && timingSafeEqual(digestOf(given), wanted)) return undefined;
      return refusal();
    };
  }
  if (oauth === undefined) return async () => undefined;
  const { verifier, requiredScopes, metadata } = oauth;
  return requireBearerAuth({
    verifier,
    ...(requiredScopes === undefined ? {} : { requiredScopes }),
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(metadata.resourceServerUrl),
  });
}

/** The documents by which a client finds the authorization server; `undefined` for any other request. */
export function metadataResponse(request: Request, { oauth }: HttpSettings): Response | undefined {
  return oauth === undefined ? undefined : oauthMetadataResponse(request, oauth.metadata);
}

/** Digests have one length, so that a comparison takes one time. */
function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

function refusal(): Response {
  const body = { error: "invalid_token", error_description: "A bearer token is needed." };
  return Response.json(body, { status: 401, headers: { "www-authenticate": "Bearer" } });
}
