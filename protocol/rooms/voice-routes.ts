// The route of voice connections to rooms.
import type { DocumentedRoute } from "../requests/contract.ts";
import { REALTIME_PROTOCOL } from "../voice/sockets.ts";
import { RoomVoiceQuerySchema } from "./voice.ts";

export const ROOM_VOICE_ROUTES = [
  {
    name: "openRoomVoice",
    method: "GET",
    path: "/v1/rooms/{room_id}/realtime",
    access: "rooms:write",
    verb: "speak",
    subprotocol: REALTIME_PROTOCOL,
    body: "none",
    tag: "Rooms",
    summary: "Talk in a room",
    description: [
      "A WebSocket as that of a session: one person hears all agents and is heard by them. The room has to have a `voice`.",
      "The credential needs the right to read as well. A newer connection of the same person closes the one before.",
    ].join(" "),
    query: RoomVoiceQuerySchema,
    answers: { 101: { description: "The WebSocket." } },
    errors: ["upgrade_required", "validation_failed"],
  },
] as const satisfies readonly DocumentedRoute[];
