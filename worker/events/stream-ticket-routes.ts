// Tickets for `EventSource`, which cannot send headers: minted with a credential that may read the session, for one of
// its streams.
import { scopesOfVerb, VERB_SCOPES, type Verb } from "../../protocol/client-tokens/contract.ts";
import type { Scope } from "../../protocol/keys/contract.ts";
import { StreamTicketCreateSchema } from "../../protocol/events/stream-tickets.ts";
import { isId } from "../../protocol/ids.ts";
import type { ClientTokenClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { verbMissing } from "../auth/verb-missing.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { cutIdOf, mayEdit, type Principal, scopesOf, tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { findThreadSession } from "../ag-ui/thread-session.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { mintTicket, parseStreamPath, ticketTimes } from "./mint-ticket.ts";

const NO_STREAM =
  "name a stream of this session: /v1/sessions/{session_id}/events, /v1/sessions/{session_id}/realtime or /v1/agents/{agent_id}/ag-ui?thread_id=…, each with its query";
const VOICE_PATH_END = "/realtime";
/** Verbs of a ticket of an API key for a voice connection, as far as the key may do them. */
const VOICE_VERBS: readonly Verb[] = ["read", "speak", "confirm", "edit", "tool_result"];

const createStreamTicket: RouteHandler = async (context) => {
  const { path } = await readBody(context, StreamTicketCreateSchema);
  const sessionId = pathId(context, "session_id");
  // A client token was already checked by the session.
  if (context.get("principal").kind === "tenant") await actOnSession(context, "read");
  const url = await readStream(context, path, sessionId);
  const isVoice = url.pathname.endsWith(VOICE_PATH_END);
  if (isVoice) requireSpeak(context.get("principal"));
  const claims = await holderOf(context, sessionId, isVoice);
  const ticket = await mintTicket(context, claims, url);
  // The ticket of a WebSocket is a subprotocol: an address is kept in logs.
  return context.json(isVoice ? { ...ticket, path: `${url.pathname}${url.search}` } : ticket, 201);
};

/** @throws HttpError 403 for a credential that may not speak. */
function requireSpeak(principal: Principal): void {
  if (principal.kind === "client_token" && !principal.verbs.includes("speak")) {
    throw verbMissing(["speak"]);
  }
  const scope = VERB_SCOPES.speak;
  if (principal.kind !== "tenant" || principal.scopes.includes(scope)) return;
  throw new HttpError("insufficient_scope", `the API key lacks the scope ${scope}`, {
    extensions: { required_scope: scope },
  });
}

/** @throws HttpError with a pointer to the path when it is no stream of this session. */
async function readStream(context: AppContext, path: string, sessionId: string): Promise<URL> {
  const url = parseStreamPath(path);
  const [, kind, id = "", rest] =
    /^\/v1\/(sessions|agents)\/([^/]+)\/([^/]+)$/.exec(url?.pathname ?? "") ?? [];
  if (url && kind === "sessions" && rest === "events" && id === sessionId) return url;
  if (url && kind === "sessions" && rest === "realtime" && id === sessionId) return url;
  if (url && kind === "agents" && rest === "ag-ui" && isId("agt", id)) {
    const threadId = url.searchParams.get("thread_id") ?? "";
    const thread = threadId && (await findThreadSession(context, id, threadId, "#/path"));
    if (thread && thread.session_id === sessionId) return url;
  }
  throw fieldError("validation_failed", "#/path", NO_STREAM);
}

/** The client token that mints the ticket; for an API key, a new read-only one. */
async function holderOf(
  context: AppContext,
  session_id: string,
  isVoice: boolean,
): Promise<ClientTokenClaims> {
  const principal = context.get("principal");
  if (principal.kind === "client_token") return principal.claims;
  const { exp, ...times } = ticketTimes(principal);
  const key_id = principal.kind === "tenant" ? cutIdOf(principal) : undefined;
  const voiceVerbs = VOICE_VERBS.filter((verb) => mayAll(principal, scopesOfVerb(verb)));
  const token = {
    id: newId("tok"),
    verbs: isVoice ? voiceVerbs : (["read"] as const),
    ...times,
    key_id,
  };
  await actOnSession(context, "addToken", token);
  return {
    token_id: token.id,
    // If the key is revoked as leaked, so is what it has minted.
    ...(key_id !== undefined && { key_id }),
    tenant_id: tenantOf(context),
    session_id,
    verbs: isVoice ? [...voiceVerbs] : readingVerbs(principal),
    allowed_origins: null,
    exp,
  };
}

/** The verb decides what some formats of a stream contain; its ticket cannot answer calls. */
function readingVerbs(principal: Principal): Verb[] {
  return mayEdit(principal) ? ["read", "confirm", "edit"] : ["read"];
}

function mayAll(principal: Principal, scopes: readonly Scope[]): boolean {
  return scopes.every((scope) => scopesOf(principal).includes(scope));
}

export const streamTicketRoutes = { createStreamTicket };
