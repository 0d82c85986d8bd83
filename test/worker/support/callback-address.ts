// The address that a webhook would carry for the calls of a reply that waits.
import { env } from "cloudflare:workers";

import { signToken, type CallbackClaims } from "../../../storage/secrets/signed-token.ts";
import type { openParked } from "./parked-session.ts";

export type Parked = Pick<Awaited<ReturnType<typeof openParked>>, "tenantId" | "reply" | "pending">;

export async function addressOf(
  { tenantId, reply, pending }: Parked,
  changes: Partial<CallbackClaims> = {},
) {
  const exp = Date.now() + 60_000;
  const claims: CallbackClaims = {
    tenant_id: tenantId,
    session_id: reply.session_id,
    reply_id: reply.id,
    tool_call_ids: pending.map(({ tool_call }) => tool_call.id),
    kind: pending[0]!.kind,
    message_id: "whm_1",
    exp,
    ...changes,
  };
  const token = await signToken("callback", claims, env.KEY_PEPPER);
  return { path: `/v1/callbacks/${token}`, token, expires_at: new Date(claims.exp).toISOString() };
}
