import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { McpServer } from "../../protocol/mcp/contract.ts";
import { announceFailedConnection } from "../../storage/mcp/announce-failed-connection.ts";
import { grantStorage } from "../../storage/mcp/grant-storage.ts";
import type { MasterKeyBindings } from "../../storage/secrets/deployment-secrets.ts";
import { readPublicUrl, type PublicUrlBindings } from "../../storage/webhooks/read-public-url.ts";
import type { WebhookBindings } from "../../storage/webhooks/webhook-publisher.ts";
import type { McpGrant } from "../../tools/mcp/oauth/mcp-grant.ts";
import { openGrant } from "../../tools/mcp/oauth/open-grant.ts";
import type { SessionInit } from "../api/session-api.ts";

export type GrantBindings = MasterKeyBindings & WebhookBindings & PublicUrlBindings;

interface GrantContext {
  readonly init: Pick<SessionInit, "tenant_id" | "end_user_id" | "origin">;
  readonly env: GrantBindings;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
}

type SessionGrantOpened =
  /** Null for a server without OAuth. */
  | { readonly ok: true; readonly grant: McpGrant | null }
  /** As a sentence. */
  | { readonly ok: false; readonly reason: string };

/** The grant with which a session's calls go to an MCP server. */
export function openSessionGrant(
  server: McpServer,
  { init, env, outgoing, secrets }: GrantContext,
): SessionGrantOpened {
  const { tenant_id, end_user_id: endUserId, origin = null } = init;
  const onFailed = (connectionId: string): void => {
    announceFailedConnection(env, tenant_id, connectionId).catch((error: unknown) => {
      console.warn("a failed connection was not announced", { error: String(error) });
    });
  };
  const opened = openGrant(server, {
    endUserId,
    origin: readPublicUrl(env) ?? origin,
    outgoing,
    secrets,
    storeOf: (owner) => grantStorage(env, { tenant_id, ...owner }, onFailed),
  });
  if (opened.ok) return opened;
  const reason = `The MCP server ${server.name} is used by end users who have signed in, and this session has no end user (end_user_required).`;
  return { ok: false, reason };
}
