// Authenticates stream tickets in the query, for `EventSource`, which cannot send headers.
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { openToken, type TicketClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import type { Principal } from "../principal.ts";
import { hashStreamAddress } from "../requests/hash-stream-address.ts";
import { admitClaims, CLIENT_TOKEN_START } from "../client-tokens/client-token.ts";
import { limitUnauthenticated } from "../requests/rate-limit.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";

const MINT = "POST /v1/sessions/{session_id}/stream-tickets";

/**
 * The principal of the ticket in the query, on routes that accept one; undefined without a ticket. A ticket may be
 * reused until it expires, because `EventSource` reconnects to the same URL.
 * @throws HttpError for a request that also has an Authorization header, for any other credential, for a forged or
 *   expired ticket, and for a ticket of another stream.
 */
export async function findTicket(context: AppContext): Promise<Principal | undefined> {
  if (!context.get("route").token_in_query) return undefined;
  const ticket = context.req.query("token");
  if (ticket === undefined) return undefined;
  if (context.req.header("Authorization") !== undefined) {
    throw fieldError(
      "validation_failed",
      "#/query/token",
      "give the credential once: a ticket as `token` in the address, or the header `Authorization`",
    );
  }
  const opened = await openToken("stream_ticket", ticket, keyPepperOf(context.env), Date.now());
  if (!opened.ok) {
    await limitUnauthenticated(context);
    throw unauthenticated(refusalOf(ticket, opened.reason));
  }
  const { claims } = opened;
  await checkStream(context, claims);
  return admitClaims(context, claims);
}

function refusalOf(ticket: string, reason: "invalid" | "expired"): string {
  if (reason === "expired") return `the stream ticket has expired; mint a new one with ${MINT}`;
  if (ticket.startsWith(CLIENT_TOKEN_START)) {
    return `\`token\` takes a stream ticket, because addresses are kept in logs: send the client token as \`Authorization\` to ${MINT}, and open the stream with the ticket that it answers with`;
  }
  return `\`token\` takes a stream ticket, which ${MINT} mints; this is none, or it was changed. Addresses are kept in logs, so any other credential belongs in the header \`Authorization\``;
}

async function checkStream(context: AppContext, claims: TicketClaims): Promise<void> {
  const sessionId = context.req.param("session_id");
  if (sessionId !== undefined && sessionId !== claims.session_id) throw notFound("session");
  if ((await hashStreamAddress(new URL(context.req.url))) === claims.stream) return;
  throw new HttpError(
    "insufficient_scope",
    `the ticket is for another stream: mint one for this path and query with ${MINT}`,
  );
}
