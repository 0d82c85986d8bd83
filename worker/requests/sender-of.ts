import type { Principal } from "../principal.ts";

/**
 * The sender that an idempotency key belongs to beside the tenant: the session of a client token, or the end user of a
 * JWT, which a renewed one names again. Null for the tenant itself, any of whose API keys repeats a request, and for
 * the operator.
 */
function senderOf(principal: Principal): string | null {
  switch (principal.kind) {
    case "client_token":
      return `session ${principal.sessionId}`;
    case "room_token":
      return `room ${principal.roomId} ${principal.participant ?? principal.tokenId}`;
    case "end_user":
      return `end_user ${principal.endUserId}`;
    case "tenant":
    case "operator":
    case "public":
      return null;
    default:
      return principal satisfies never;
  }
}

/** The key with its sender. A client's key has no space, so no two senders' keys are the same text. */
export function ofSender(principal: Principal, key: string): string {
  const sender = senderOf(principal);
  return sender === null ? key : `${sender} ${key}`;
}
