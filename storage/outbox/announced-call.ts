import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { WebhookCall } from "../../protocol/replies/webhooks.ts";

/** A waiting call as webhooks are told of it: without its input. */
export function announcedCall({
  kind,
  tool_call,
  input_hash,
  expires_at,
  authorization,
}: PendingCall): WebhookCall {
  return {
    tool_call_id: tool_call.id,
    tool_name: tool_call.name,
    kind,
    input_hash,
    expires_at,
    ...(authorization && { authorization }),
  };
}
