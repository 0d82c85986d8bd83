// The platform's client at the authorization server of an MCP server: a known one, or one that it registers.
import type { OAuthClient } from "../../../protocol/mcp/grant-store.ts";
import { discover } from "./discover.ts";
import type { GrantSettings } from "./grant-settings.ts";
import { issuerCallback } from "./issuer-callback.ts";
import { registerClient, type OAuthAccess } from "./token-requests.ts";

export interface ClientSearch {
  readonly settings: GrantSettings;
  readonly access: OAuthAccess;
  /** The server's challenge to a request that it refused; null when it has refused none. */
  readonly challenge: string | null;
}

/**
 * @param callback Where browsers come back to a client that the tenant has registered itself.
 * @throws OAuthFailure
 */
export async function findClient(
  { settings: { store, server }, access, challenge }: ClientSearch,
  callback: string,
): Promise<{ readonly client: OAuthClient; readonly scope: string | null }> {
  const { url, oauth: settings } = server;
  const found = await discover(access.fetch, {
    url,
    issuer: settings.issuer ?? null,
    needsPkce: settings.grant === "authorization_code",
    challenge: challenge ?? (await askChallenge(access, url)),
  });
  const { issuer } = found.server;
  const about = { server: found.server, resource: found.resource };
  const { scope } = found;
  if (settings.client_id !== undefined) {
    return { client: { ...about, client_id: settings.client_id, redirect_uri: callback }, scope };
  }
  const redirectUri = await issuerCallback(callback, issuer);
  const known = await store.readClient(issuer);
  if (known?.redirect_uri === redirectUri) return { client: { ...about, ...known }, scope };
  const registered = await registerClient(access, found.server, redirectUri);
  await store.keepClient(issuer, registered);
  return { client: { ...about, ...registered }, scope };
}

/** The server's challenge to a request without a token. Never rejects. */
async function askChallenge(
  { fetch }: Pick<OAuthAccess, "fetch">,
  url: string,
): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: crypto.randomUUID(), method: "ping" }),
    });
    return response.headers.get("www-authenticate");
  } catch {
    return null;
  }
}
