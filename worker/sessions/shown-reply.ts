// A credential that may not read sees the status of a reply that it has changed, but no content.
import { VERB_SCOPES } from "../../protocol/client-tokens/contract.ts";
import type { Compression } from "../../protocol/context/compression.ts";
import { dialectOf, type EventFormat } from "../../protocol/dialects/dialects.ts";
import type { Scope } from "../../protocol/keys/contract.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import type { Session } from "../../protocol/sessions/contract.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { HttpError } from "../http-error.ts";
import { verbMissing } from "../auth/verb-missing.ts";
import type { Principal } from "../principal.ts";

const CONVERSATION_SCOPE = VERB_SCOPES.read;
const READING_SCOPES: readonly Scope[] = [CONVERSATION_SCOPE, "replies:read"];

/** The reply, without its message and calls for a credential that may not read it. */
export function shownReply(principal: Principal, reply: Reply | null): Reply | null {
  if (!reply || mayRead(principal)) return reply;
  const subagents = reply.subagents?.map(({ pending: _, ...agent }) => agent);
  return { ...reply, message: null, pending: [], ...(subagents && { subagents }) };
}

/** The reply of a called agent, which an answer to its caller's session has named: only an API key reads that session. */
export function shownReplyBelow(principal: Principal, reply: Reply | null): Reply | null {
  if (principal.kind === "tenant" || !reply) return reply;
  const { tasks: _, subagents: __, ...status } = reply;
  return { ...status, message: null, pending: [] };
}

/** A refusal without the waiting calls, which contain content. @param principal Undefined before authentication. */
export function shownRefusal(principal: Principal | undefined, refusal: Refusal): Refusal {
  if (!principal || mayRead(principal) || !refusal.extensions) return refusal;
  const { pending: _, ...extensions } = refusal.extensions;
  return { ...refusal, extensions };
}

/** A stream shows what a reply says. @throws HttpError 403 for a credential that may not read it. */
export function requireRead(principal: Principal): void {
  if (mayRead(principal)) return;
  if (principal.kind === "client_token") throw verbMissing(["read"]);
  throw missingScope("what a reply says needs");
}

/**
 * An AG-UI stream may contain the whole conversation and the shared state in snapshots: where calls wait, and where a
 * model's answer was retracted.
 * @throws HttpError 403 for a credential that may not read what a stream of the dialect may have.
 */
export function requireStream(principal: Principal, format: EventFormat): void {
  const { hasConversation, title } = dialectOf(format);
  if (hasConversation) requireConversation(principal, `${title}'s streams need`);
}

/**
 * The answer to a write of the plan or the shared state has all of it.
 * @param what The subject of the refusal, with its verb: "what a written plan shows needs".
 * @throws HttpError 403 for a credential that may not read the conversation.
 */
export function requireConversation(principal: Principal, what: string): void {
  if (!mayReadConversation(principal) && principal.kind === "tenant") throw missingScope(what);
  requireRead(principal);
}

/** The compression, without its summary for a credential that may not read what is summarised. */
export function shownCompression(principal: Principal, done: Compression): Compression {
  return mayReadConversation(principal) ? done : { ...done, compressed: null };
}

/** The session, without its title for a credential that may not read the conversation, whose first words it may be. */
export function shownSession(principal: Principal, session: Session): Session {
  return mayReadConversation(principal) ? session : { ...session, title: null };
}

function mayReadConversation(principal: Principal): boolean {
  if (principal.kind === "tenant") return principal.scopes.includes(CONVERSATION_SCOPE);
  return mayRead(principal);
}

/** An end user reads their own conversations. A key reads replies by either of two scopes. */
function mayRead(principal: Principal): boolean {
  switch (principal.kind) {
    case "client_token":
    case "room_token":
      return principal.verbs.includes("read");
    case "tenant":
      return READING_SCOPES.some((scope) => principal.scopes.includes(scope));
    default:
      return true;
  }
}

function missingScope(what: string): HttpError {
  return new HttpError("insufficient_scope", `${what} the scope ${CONVERSATION_SCOPE}`, {
    extensions: { required_scope: CONVERSATION_SCOPE },
  });
}
