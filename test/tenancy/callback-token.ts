import { env } from "cloudflare:workers";

import type { Reply } from "../../protocol/replies/contract.ts";
import type { CreatedTenant } from "../../protocol/tenants/contract.ts";
import { signToken } from "../../storage/secrets/signed-token.ts";

/** A callback address's token, of a reply that asks nothing. */
export function callbackToken(tenant: CreatedTenant, reply: Reply): Promise<string> {
  const claims = {
    tenant_id: tenant.id,
    session_id: reply.session_id,
    reply_id: reply.id,
    tool_call_ids: [],
    kind: "permission" as const,
    message_id: "whm_1",
    // Longer than the slowest machine takes for all of it.
    exp: Date.now() + 3_600_000,
  };
  return signToken("callback", claims, env.KEY_PEPPER);
}
