// The settings of a grant at an MCP server.
import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import type { SecretSource } from "../../../outgoing/secret-source.ts";
import type { McpOAuth } from "../../../protocol/mcp/mcp-oauth.ts";
import type { McpServerDefinition } from "../../../protocol/mcp/contract.ts";
import type { GrantStore } from "../../../protocol/mcp/grant-store.ts";

export interface GrantSettings {
  readonly server: Pick<McpServerDefinition, "url" | "name"> & {
    readonly id: string;
    readonly oauth: McpOAuth;
  };
  readonly store: GrantStore;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
  /** Null when the platform does not know its own address. */
  readonly redirectUri: string | null;
}

/**
 * The server and the client that a grant is for. A server with another address or another issuer gets none of its
 * tokens.
 */
export function bindingOf({ url, oauth: settings }: GrantSettings["server"]): string {
  const { grant, owner, issuer, client_id } = settings;
  return JSON.stringify([url, grant, owner, issuer ?? null, client_id ?? null]);
}
