// Tickets for streams of a room, for `EventSource`, which cannot send headers: minted with a credential that may read the room.
import { StreamTicketCreateSchema } from "../../protocol/events/stream-tickets.ts";
import type { RoomTokenClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { mintTicket, parseStreamPath, ticketTimes } from "../events/mint-ticket.ts";
import { fieldError, HttpError, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { pathRoomStub } from "../objects/room-stub.ts";
import { cutIdOf, mayEdit, tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";

const createRoomStreamTicket: RouteHandler = async (context) => {
  const { path } = await readBody(context, StreamTicketCreateSchema);
  const roomId = pathId(context, "room_id");
  // A client token was already checked by the room.
  if (context.get("principal").kind === "tenant") unwrap(await pathRoomStub(context).read());
  const url = parseStreamPath(path);
  if (url?.pathname !== `/v1/rooms/${roomId}/events`) {
    const detail = "name a stream of this room: /v1/rooms/{room_id}/events with its query";
    throw fieldError("validation_failed", "#/path", detail);
  }
  return context.json(await mintTicket(context, await holderOf(context, roomId), url), 201);
};

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
