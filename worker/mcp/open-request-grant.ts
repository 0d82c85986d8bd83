import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { McpServer } from "../../protocol/mcp/contract.ts";
import { announceFailedConnection } from "../../storage/mcp/announce-failed-connection.ts";
import { grantStorage } from "../../storage/mcp/grant-storage.ts";
import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";
import type { McpGrant } from "../../tools/mcp/oauth/mcp-grant.ts";
import { openGrant } from "../../tools/mcp/oauth/open-grant.ts";
import type { AppContext } from "../app-env.ts";
import { inBackground } from "../in-background.ts";
import { tenantOf } from "../principal.ts";

interface GrantAccess {
  readonly endUserId: string | null;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
}

type RequestGrantOpened =
  /** Null for a server without OAuth. */
  | { readonly ok: true; readonly grant: McpGrant | null }
  /** Worded to follow the server's name. */
  | { readonly ok: false; readonly reason: string };

/** The grant with which one request's calls go to an MCP server. */
export function openRequestGrant(
  { env, get, req }: AppContext,
  server: McpServer,
  access: GrantAccess,
): RequestGrantOpened {
  const tenant_id = tenantOf({ get: (what) => get(what) });
  const onFailed = (connectionId: string): void =>
    inBackground(
      "announcing a failed connection",
      announceFailedConnection(env, tenant_id, connectionId),
    );
  const local = env.ENVIRONMENT === "local" ? new URL(req.url).origin : null;
  const opened = openGrant(server, {
    ...access,
    origin: readPublicUrl(env) ?? local,
    storeOf: (owner) => grantStorage(env, { tenant_id, ...owner }, onFailed),
  });
  if (opened.ok) return opened;
  const reason =
    "it is used by end users who have signed in, and none is named (end_user_required)";
  return { ok: false, reason };
}
