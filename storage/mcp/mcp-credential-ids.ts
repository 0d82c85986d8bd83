import type { McpServerDefinition } from "../../protocol/mcp/contract.ts";

/** The credentials that a server's definition names, without duplicates. */
export function mcpCredentialIds({
  credential_id,
  secret_headers = {},
  oauth,
}: Pick<McpServerDefinition, "credential_id" | "secret_headers" | "oauth">): readonly string[] {
  const named = [...Object.values(secret_headers), credential_id, oauth?.client_credential_id];
  return [...new Set(named.filter((id) => id !== undefined))];
}
