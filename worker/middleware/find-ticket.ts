// Authenticates stream tickets, for `EventSource` and a browser's `WebSocket`, which cannot send headers: in the query, or as
// a subprotocol.
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { openToken, type TicketClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import type { Principal } from "../principal.ts";
import { hashStreamAddress } from "../requests/hash-stream-address.ts";
import { admitClaims, CLIENT_TOKEN_START } from "../client-tokens/client-token.ts";
import { admitRoomClaims, ROOM_TOKEN_START } from "../rooms/find-room-token.ts";
import { limitUnauthenticated } from "../requests/rate-limit.ts";
import { asksForSocket, ticketOfUpgrade } from "../requests/upgrade.ts";
import { TICKET_PROTOCOL_PREFIX } from "../../protocol/voice/sockets.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";

const MINT = "POST /v1/sessions/{session_id}/stream-tickets";
const MINT_IN_ROOM = "POST /v1/rooms/{room_id}/stream-tickets";

/**
 * The principal of the ticket of the request, on routes that accept one; undefined without a ticket. A ticket may be
 * reused until it expires, because `EventSource` reconnects to the same URL.
 * @throws HttpError for a request that also has an Authorization header, for any other credential, for a forged or
 *   expired ticket, and for a ticket of another stream.
 */
export async function findTicket(context: AppContext): Promise<Principal | undefined> {
  const isSocket = asksForSocket(context);
  const inQuery = context.get("route").token_in_query ? context.req.query("token") : undefined;
  const ticket = isSocket ? ticketOfUpgrade(context) : inQuery;
  if (isSocket && inQuery !== undefined) {
    const detail = `a WebSocket takes its ticket as the subprotocol ${TICKET_PROTOCOL_PREFIX}<ticket>: addresses are kept in logs`;
    throw fieldError("validation_failed", "#/query/token", detail);
  }
  if (ticket === undefined) return undefined;
  if (context.req.header("Authorization") !== undefined) {
    throw fieldError(
      "validation_failed",
      isSocket ? "#/headers/sec-websocket-protocol" : "#/query/token",
      "give the credential once: a ticket as `token` in the address or, for a WebSocket, as a subprotocol, or the header `Authorization`",
    );
  }
  const opened = await openToken("stream_ticket", ticket, keyPepperOf(context.env), Date.now());
  if (!opened.ok) {
    await limitUnauthenticated(context);
    throw unauthenticated(refusalOf(ticket, opened.reason, mintOf(context)));
  }
  const { claims } = opened;
  await checkStream(context, claims);
  return "room_id" in claims ? admitRoomClaims(context, claims) : admitClaims(context, claims);
}

function mintOf(context: AppContext): string {
  return context.req.param("room_id") === undefined ? MINT : MINT_IN_ROOM;
}

function refusalOf(ticket: string, reason: "invalid" | "expired", mint: string): string {
  if (reason === "expired") return `the stream ticket has expired; mint a new one with ${mint}`;
  if ([CLIENT_TOKEN_START, ROOM_TOKEN_START].some((start) => ticket.startsWith(start))) {
    return `\`token\` takes a stream ticket, because addresses are kept in logs: send the client token as \`Authorization\` to ${mint}, and open the stream with the ticket that it answers with`;
  }
  return `\`token\` takes a stream ticket, which ${mint} mints; this is none, or it was changed. Addresses are kept in logs, so any other credential belongs in the header \`Authorization\``;
}

/** A ticket of a session and one of a room are for different streams, whatever is in the path. */
async function checkStream(context: AppContext, claims: TicketClaims): Promise<void> {
  const isOfRoom = "room_id" in claims;
  const asked = context.req.param(isOfRoom ? "room_id" : "session_id");
  const own = isOfRoom ? claims.room_id : claims.session_id;
  if (asked !== undefined && asked !== own) throw notFound(isOfRoom ? "room" : "session");
  if ((await hashStreamAddress(new URL(context.req.url))) === claims.stream) return;
  throw new HttpError(
    "insufficient_scope",
    `the ticket is for another stream: mint one for this path and query with ${mintOf(context)}`,
  );
}
