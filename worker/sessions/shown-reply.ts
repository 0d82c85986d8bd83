// A client token without `read` is shown the status of a reply that it has changed, not what was said.
import { VERB_SCOPES } from "../../protocol/api/client-tokens.ts";
import type { Reply } from "../../protocol/api/replies.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { HttpError } from "../http-error.ts";
import { verbMissing } from "../auth/verb-missing.ts";
import type { Principal } from "../principal.ts";

const CONVERSATION_SCOPE = VERB_SCOPES.read;

/** The reply without its message and its calls for a client token that may not read; whole for everybody else. */
export function shownReply(principal: Principal, reply: Reply | null): Reply | null {
  return mayRead(principal) ? reply : reply && { ...reply, message: null, pending: [] };
}

/** A refusal without the calls that wait, which hold what was said. @param principal None before it is known. */
export function shownRefusal(principal: Principal | undefined, refusal: Refusal): Refusal {
  if (!principal || mayRead(principal) || !refusal.extensions) return refusal;
  const { pending: _, ...extensions } = refusal.extensions;
  return { ...refusal, extensions };
}

/** A stream shows all that follows. @throws HttpError 403 `verb_missing` for a client token that may not read it. */
export function requireRead(principal: Principal): void {
  if (!mayRead(principal)) throw verbMissing(["read"]);
}

/**
 * A stream of AG-UI may hold the conversation as a whole and the shared state, whatever it was asked for: where calls
 * wait, and where an answer was taken back.
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
