import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import type { SecretSource } from "../../../outgoing/secret-source.ts";
import type { McpServer } from "../../../protocol/mcp/contract.ts";
import { OAUTH_CALLBACK_PATH } from "../../../protocol/mcp/mcp-oauth.ts";
import type { GrantStore } from "../../../protocol/mcp/grant-store.ts";
import { McpGrant } from "./mcp-grant.ts";

/** The owner of a grant, as far as the server's settings tell. */
interface ServerGrantOwner {
  readonly mcp_server_id: string;
  readonly server_version: number;
  /** Null for the tenant. */
  readonly end_user_id: string | null;
}

interface GrantAccess {
  /** The end user of the calls; null for none. */
  readonly endUserId: string | null;
  /** Origin of the page that a sign-in comes back to; null where none is known. */
  readonly origin: string | null;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
  readonly storeOf: (owner: ServerGrantOwner) => GrantStore;
}

/** Null for a server without OAuth; not ok for one of end users without an end user. */
type GrantOpened = { readonly ok: true; readonly grant: McpGrant | null } | { readonly ok: false };

/** The grant with which calls for one end user go to an MCP server. */
export function openGrant(
  { oauth, id, name, url, version }: McpServer,
  { endUserId, origin, outgoing, secrets, storeOf }: GrantAccess,
): GrantOpened {
  if (!oauth) return { ok: true, grant: null };
  const isEndUsers = oauth.owner === "end_user";
  if (isEndUsers && endUserId === null) return { ok: false };
  const store = storeOf({
    mcp_server_id: id,
    server_version: version,
    end_user_id: isEndUsers ? endUserId : null,
  });
  const redirectUri = origin === null ? null : `${origin}${OAUTH_CALLBACK_PATH}`;
  const server = { id, name, url, oauth };
  return { ok: true, grant: new McpGrant({ server, store, outgoing, secrets, redirectUri }) };
}
