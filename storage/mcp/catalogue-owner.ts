import type { McpServerDefinition } from "../../protocol/mcp/contract.ts";

/** The `end_user_id` of a catalogue's row: what is listed with an end user's grant, no other one sees. */
export function catalogueOwner(
  { oauth }: Pick<McpServerDefinition, "oauth">,
  endUserId: string | null,
): string {
  return oauth?.owner === "end_user" ? (endUserId ?? "") : "";
}
