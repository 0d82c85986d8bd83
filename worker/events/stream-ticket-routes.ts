// Tickets for `EventSource`, which cannot send headers: minted with a credential that may read the session, for one of
// its streams.
import { StreamTicketCreateSchema } from "../../protocol/events/stream-tickets.ts";
import { isId } from "../../protocol/ids.ts";
import type { ClientTokenClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { fieldError } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { cutIdOf, mayEdit, tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { findThreadSession } from "../ag-ui/thread-session.ts";
import { actOnSession } from "../sessions/act-on-session.ts";
import { mintTicket, parseStreamPath, ticketTimes } from "./mint-ticket.ts";

const NO_STREAM =
  "name a stream of this session: /v1/sessions/{session_id}/events or /v1/agents/{agent_id}/ag-ui?thread_id=…, each with its query";

const createStreamTicket: RouteHandler = async (context) => {
  const { path } = await readBody(context, StreamTicketCreateSchema);
  const sessionId = pathId(context, "session_id");
  // A client token was already checked by the session.
  if (context.get("principal").kind === "tenant") await actOnSession(context, "read");
  const url = await readStream(context, path, sessionId);
  const claims = await holderOf(context, sessionId);
  return context.json(await mintTicket(context, claims, url), 201);
};

/** @throws HttpError with a pointer to the path when it is no stream of this session. */
async function readStream(context: AppContext, path: string, sessionId: string): Promise<URL> {
  const url = parseStreamPath(path);
  const [, kind, id = "", rest] =
    /^\/v1\/(sessions|agents)\/([^/]+)\/([^/]+)$/.exec(url?.pathname ?? "") ?? [];
  if (url && kind === "sessions" && rest === "events" && id === sessionId) return url;
  if (url && kind === "agents" && rest === "ag-ui" && isId("agt", id)) {
    const threadId = url.searchParams.get("thread_id") ?? "";
    const thread = threadId && (await findThreadSession(context, id, threadId, "#/path"));
    if (thread && thread.session_id === sessionId) return url;
  }
  throw fieldError("validation_failed", "#/path", NO_STREAM);
}

/** The client token that mints the ticket; for an API key, a new read-only one. */
async function holderOf(context: AppContext, session_id: string): Promise<ClientTokenClaims> {
  const principal = context.get("principal");
  if (principal.kind === "client_token") return principal.claims;
  const { exp, ...times } = ticketTimes(principal);
  const key_id = principal.kind === "tenant" ? cutIdOf(principal) : undefined;
  const token = {
    id: newId("tok"),
    verbs: ["read"],
    ...times,
    key_id,
  } as const;
  await actOnSession(context, "addToken", token);
  return {
    token_id: token.id,
    // If the key is revoked as leaked, so is what it has minted.
    ...(key_id !== undefined && { key_id }),
    tenant_id: tenantOf(context),
    session_id,
    // The verb decides what some formats of the stream contain; a ticket cannot answer calls.
    verbs: mayEdit(principal) ? ["read", "confirm", "edit"] : ["read"],
    allowed_origins: null,
    exp,
  };
}

export const streamTicketRoutes = { createStreamTicket };
