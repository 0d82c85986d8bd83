// The route of voice connections to rooms: a person of the room speaks, and hears its agents.
import { voiceUrl, type VoiceOpening } from "../../durable-objects/api/voice-request.ts";
import { RoomVoiceQuerySchema } from "../../protocol/rooms/voice.ts";
import { REALTIME_PROTOCOL } from "../../protocol/voice/sockets.ts";
import type { RouteHandler } from "../app-env.ts";
import { actorOf } from "../auth/actor.ts";
import { verbMissing } from "../auth/verb-missing.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { pathRoomStub } from "../objects/room-stub.ts";
import { type Principal, readerOf } from "../principal.ts";
import { readQuery } from "../requests/read-query.ts";
import { asksForSocket, fetchSocket, requireSubprotocol } from "../requests/upgrade.ts";
import { voiceRightsOf } from "../voice/voice-rights.ts";
import { mayInterruptRoom } from "./may-interrupt-room.ts";
import { speakerOf } from "./speaker-of.ts";

const NO_UPGRADE = `a voice connection is a WebSocket: send \`Upgrade: websocket\`, and ${REALTIME_PROTOCOL} as its subprotocol`;

/** The person's socket. It shows the room's events, so that speaking needs the right to read. */
const openRoomVoice: RouteHandler = async (context) => {
  const stub = pathRoomStub(context);
  if (!asksForSocket(context)) {
    // As at every path of a room: another tenant's is not found.
    unwrap(await stub.read());
    throw new HttpError("upgrade_required", NO_UPGRADE, { headers: { Upgrade: "websocket" } });
  }
  requireSubprotocol(context);
  const { participant } = readQuery(context, RoomVoiceQuerySchema);
  const principal = context.get("principal");
  requireRead(principal);
  const opening: VoiceOpening = {
    actor: actorOf(principal),
    rights: { ...voiceRightsOf(principal), may_interrupt: mayInterruptRoom(principal) },
    reader: readerOf(context),
    participant: speakerOf(context, participant),
  };
  return unwrap(await fetchSocket(context, stub, voiceUrl(opening)));
};

/** @throws HttpError 403 for a credential that may not read the room. */
function requireRead(principal: Principal): void {
  if (principal.kind === "room_token" && !principal.verbs.includes("read")) {
    throw verbMissing(["read"]);
  }
  if (principal.kind !== "tenant" || principal.scopes.includes("rooms:read")) return;
  throw new HttpError("insufficient_scope", "the API key lacks the scope rooms:read", {
    extensions: { required_scope: "rooms:read" },
  });
}

export const roomVoiceRoutes = { openRoomVoice };
