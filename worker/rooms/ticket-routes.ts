// Tickets for streams of a room, for `EventSource`, which cannot send headers: minted with a credential that may read the room.
import { StreamTicketCreateSchema } from "../../protocol/events/stream-tickets.ts";
import { type RoomVerb, scopeOfRoomVerb } from "../../protocol/rooms/room-tokens.ts";
import type { RoomTokenClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { mintTicket, parseStreamPath, ticketTimes } from "../events/mint-ticket.ts";
import { fieldError, HttpError, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { pathRoomStub } from "../objects/room-stub.ts";
import { verbMissing } from "../auth/verb-missing.ts";
import { cutIdOf, mayEdit, tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";

const createRoomStreamTicket: RouteHandler = async (context) => {
  const { path } = await readBody(context, StreamTicketCreateSchema);
  const roomId = pathId(context, "room_id");
  // A client token was already checked by the room.
  if (context.get("principal").kind === "tenant") unwrap(await pathRoomStub(context).read());
  const url = parseStreamPath(path);
  if (url?.pathname === `/v1/rooms/${roomId}/realtime`) {
    const ticket = await mintTicket(context, await speakingHolder(context, roomId, url), url);
    // The ticket of a WebSocket is a subprotocol: an address is kept in logs.
    return context.json({ ...ticket, path: `${url.pathname}${url.search}` }, 201);
  }
  if (url?.pathname !== `/v1/rooms/${roomId}/events`) {
    const detail =
      "name a stream of this room: /v1/rooms/{room_id}/events or /v1/rooms/{room_id}/realtime, each with its query";
    throw fieldError("validation_failed", "#/path", detail);
  }
  return context.json(await mintTicket(context, await holderOf(context, roomId), url), 201);
};

/** Verbs of a ticket of an API key for a voice connection, as far as the key may do them. */
const VOICE_VERBS: readonly RoomVerb[] = [
  "read",
  "speak",
  "confirm",
  "edit",
  "tool_result",
  "interrupt",
];

/** As {@link holderOf}, for a person who speaks. @throws HttpError 403 for a credential that may not. */
async function speakingHolder(
  context: AppContext,
  room_id: string,
  url: URL,
): Promise<RoomTokenClaims> {
  const principal = context.get("principal");
  if (principal.kind === "room_token") {
    if (!principal.verbs.includes("speak")) throw verbMissing(["speak"]);
    return principal.claims;
  }
  if (principal.kind !== "tenant") {
    throw new HttpError("insufficient_scope", "this route takes a tenant's API key");
  }
  const verbs = VOICE_VERBS.filter((verb) => principal.scopes.includes(scopeOfRoomVerb(verb)));
  if (!verbs.includes("speak")) {
    throw new HttpError("insufficient_scope", "the API key lacks the scope rooms:write", {
      extensions: { required_scope: "rooms:write" },
    });
  }
  const stub = pathRoomStub(context);
  const participant = await personOf(stub, url.searchParams.get("participant"));
  const { exp, ...times } = ticketTimes(principal);
  const key_id = cutIdOf(principal);
  const held = { participant, allowed_origins: null, key_id };
  const id = newId("tok");
  unwrap(await stub.addToken({ id, verbs, ...held, ...times }));
  return { token_id: id, tenant_id: tenantOf(context), room_id, verbs, ...held, exp };
}

/** The person who is named, or the only one. @throws HttpError 400 for any other. */
async function personOf(
  stub: ReturnType<typeof pathRoomStub>,
  named: string | null,
): Promise<string> {
  const { participants } = unwrap(await stub.read());
  const people = participants.filter(({ kind, left_at }) => kind === "person" && left_at === null);
  const found =
    named === null && people.length === 1 ? people[0] : people.find(({ name }) => name === named);
  if (found) return found.name;
  const detail = "say by `participant` in the path's query which person of the room speaks";
  throw fieldError("validation_failed", "#/path", detail);
}

/** The client token that mints the ticket; for an API key, a new one that reads and speaks as nobody. */
async function holderOf(context: AppContext, room_id: string): Promise<RoomTokenClaims> {
  const principal = context.get("principal");
  if (principal.kind === "room_token") return principal.claims;
  if (principal.kind !== "tenant") {
    throw new HttpError("insufficient_scope", "this route takes a tenant's API key");
  }
  const { exp, ...times } = ticketTimes(principal);
  const key_id = cutIdOf(principal);
  const held = { participant: null, allowed_origins: null, key_id };
  const id = newId("tok");
  unwrap(await pathRoomStub(context).addToken({ id, verbs: ["read"], ...held, ...times }));
  // The verbs decide what AG-UI's interrupts contain; a ticket cannot answer them.
  const verbs: RoomTokenClaims["verbs"] = mayEdit(principal)
    ? ["read", "confirm", "edit"]
    : ["read"];
  return { token_id: id, tenant_id: tenantOf(context), room_id, verbs, ...held, exp };
}

export const roomTicketRoutes = { createRoomStreamTicket };
