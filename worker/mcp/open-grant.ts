// The grant with which one request's calls go to an MCP server.
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { McpServer } from "../../protocol/mcp/contract.ts";
import { OAUTH_CALLBACK_PATH } from "../../protocol/mcp/connection-routes.ts";
import { announceFailedConnection } from "../../storage/mcp/announce-failed-connection.ts";
import { grantStorage } from "../../storage/mcp/grant-storage.ts";
import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import { McpGrant } from "../../tools/mcp/oauth/mcp-grant.ts";
import type { AppContext } from "../app-env.ts";
import { inBackground } from "../in-background.ts";
import { tenantOf } from "../principal.ts";

interface GrantAccess {
  readonly endUserId: string | null;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
}

type GrantOpened =
  /** Null for a server without OAuth. */
  | { readonly ok: true; readonly grant: McpGrant | null }
  /** Worded to follow the server's name. */
  | { readonly ok: false; readonly reason: string };

export function openGrant(
  { env, get, req }: AppContext,
  server: McpServer,
  { endUserId, outgoing, secrets }: GrantAccess,
): GrantOpened {
  const { oauth, id, name, url } = server;
  if (!oauth) return { ok: true, grant: null };
  if (oauth.owner === "end_user" && endUserId === null) {
    return {
      ok: false,
      reason: "it is used by end users who have signed in, and none is named (end_user_required)",
    };
  }
  const tenant_id = tenantOf({ get: (what) => get(what) });
  const owner = {
    tenant_id,
    mcp_server_id: id,
    server_version: server.version,
    end_user_id: oauth.owner === "end_user" ? endUserId : null,
  };
  const store = grantStorage(env, owner, (connectionId) =>
    inBackground(
      "announcing a failed connection",
      announceFailedConnection(env, tenant_id, connectionId),
    ),
  );
  const local = env.ENVIRONMENT === "local" ? new URL(req.url).origin : null;
  const origin = readPublicUrl(env) ?? local;
  const redirectUri = origin === null ? null : `${origin}${OAUTH_CALLBACK_PATH}`;
  const about = { id, name, url, oauth };
  const grant = new McpGrant({ server: about, store, outgoing, secrets, redirectUri });
  return { ok: true, grant };
}
