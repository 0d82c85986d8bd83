import type { McpOAuth } from "../../../sdk/index.ts";

/** Origin of a server's tokens, and their owner. */
export function ownerWords({ grant, owner }: McpOAuth): string {
  if (grant === "client_credentials") return "OAuth, as the platform itself";
  return owner === "end_user" ? "OAuth, each end user" : "OAuth, a person for the tenant";
}
