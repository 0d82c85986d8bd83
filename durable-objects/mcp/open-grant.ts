// The grant with which a session's calls go to an MCP server.
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { McpServer } from "../../protocol/mcp/contract.ts";
import { OAUTH_CALLBACK_PATH } from "../../protocol/mcp/connection-routes.ts";
import { announceFailedConnection } from "../../storage/mcp/announce-failed-connection.ts";
import { grantStorage } from "../../storage/mcp/grant-storage.ts";
import type { MasterKeyBindings } from "../../storage/secrets/deployment-secrets.ts";
import { readPublicUrl, type PublicUrlBindings } from "../../storage/webhooks/read-public-url.ts";
import type { WebhookBindings } from "../../storage/webhooks/webhook-publisher.ts";
import { McpGrant } from "../../tools/mcp/oauth/mcp-grant.ts";
import type { SessionInit } from "../api/session-api.ts";

export type GrantBindings = MasterKeyBindings & WebhookBindings & PublicUrlBindings;

interface GrantContext {
  readonly init: Pick<SessionInit, "tenant_id" | "end_user_id" | "origin">;
  readonly env: GrantBindings;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
}

export type GrantOpened =
  /** Null for a server without OAuth. */
  | { readonly ok: true; readonly grant: McpGrant | null }
  /** As a sentence. */
  | { readonly ok: false; readonly reason: string };

export function openGrant(server: McpServer, context: GrantContext): GrantOpened {
  const { oauth, id, name, url } = server;
  if (!oauth) return { ok: true, grant: null };
  const { init, env, outgoing, secrets } = context;
  const { tenant_id, end_user_id } = init;
  const isEndUsers = oauth.owner === "end_user";
  if (isEndUsers && end_user_id === null) {
    const reason = `The MCP server ${name} is used by end users who have signed in, and this session has no end user (end_user_required).`;
    return { ok: false, reason };
  }
  const owner = {
    tenant_id,
    mcp_server_id: id,
    server_version: server.version,
    end_user_id: isEndUsers ? end_user_id : null,
  };
  const store = grantStorage(env, owner, (connectionId) => {
    announceFailedConnection(env, tenant_id, connectionId).catch((error: unknown) => {
      console.warn("a failed connection was not announced", { error: String(error) });
    });
  });
  const origin = readPublicUrl(env) ?? init.origin ?? null;
  const redirectUri = origin === null ? null : `${origin}${OAUTH_CALLBACK_PATH}`;
  const about = { id, name, url, oauth };
  return {
    ok: true,
    grant: new McpGrant({ server: about, store, outgoing, secrets, redirectUri }),
  };
}
