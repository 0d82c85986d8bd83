// What a client token without `read` gets to see of a reply that it has changed: how it stands, not what was said.
import type { Reply } from "../protocol/api/replies.ts";
import type { Refusal } from "../protocol/errors.ts";
import { verbMissing } from "./middleware/client-token.ts";
import type { Principal } from "./principal.ts";

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

function mayRead(principal: Principal): boolean {
  return principal.kind !== "client_token" || principal.verbs.includes("read");
}
