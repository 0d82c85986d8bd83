// A client token without `read` sees the status of a reply that it has changed, but no content.
import { VERB_SCOPES } from "../../protocol/api/client-tokens.ts";
import type { Reply } from "../../protocol/api/replies.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { HttpError } from "../http-error.ts";
import { verbMissing } from "../auth/verb-missing.ts";
import type { Principal } from "../principal.ts";

const CONVERSATION_SCOPE = VERB_SCOPES.read;

/** The reply, without its message and calls for a client token without `read`. */
export function shownReply(principal: Principal, reply: Reply | null): Reply | null {
  return mayRead(principal) ? reply : reply && { ...reply, message: null, pending: [] };
}

/** A refusal without the waiting calls, which contain content. @param principal Undefined before authentication. */
export function shownRefusal(principal: Principal | undefined, refusal: Refusal): Refusal {
  if (!principal || mayRead(principal) || !refusal.extensions) return refusal;
  const { pending: _, ...extensions } = refusal.extensions;
  return { ...refusal, extensions };
}

/** A stream requires `read`. @throws HttpError 403 `verb_missing` for a client token without it. */
export function requireRead(principal: Principal): void {
  if (!mayRead(principal)) throw verbMissing(["read"]);
}

/**
 * An AG-UI stream may contain the whole conversation and the shared state in snapshots: where calls wait, and where a
 * model's answer was retracted.
 * @throws HttpError 403 for a credential that may not read them.
 */
export function requireConversation(principal: Principal): void {
  requireRead(principal);
  if (principal.kind !== "tenant" || principal.scopes.includes(CONVERSATION_SCOPE)) return;
  throw new HttpError(
    "insufficient_scope",
    `AG-UI's streams need the scope ${CONVERSATION_SCOPE}`,
    {
      extensions: { required_scope: CONVERSATION_SCOPE },
    },
  );
}

function mayRead(principal: Principal): boolean {
  return principal.kind !== "client_token" || principal.verbs.includes("read");
}
