// Voice connections to rooms: a route without an answer but a WebSocket. Its frames are asked in test/conformance/rooms/.
import { REALTIME_PROTOCOL } from "../../../protocol/voice/sockets.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import { openRoom } from "../open-room.ts";
import type { ConceptRows } from "../row.ts";

const UPGRADE = { Upgrade: "websocket", "Sec-WebSocket-Protocol": REALTIME_PROTOCOL };

export const ROWS = {
  openRoomVoice: { answers: 426, isSilent: true, shows: [] },
} satisfies ConceptRows;

export async function askAll(api: DocumentedApi): Promise<void> {
  const voice = { mode: "realtime", model: { provider: "scripted" } };
  const spoken = { voice: { transcription: { provider: "scripted" } } };
  const { call, room } = await openRoom(spoken, { name: "Desk", voice });
  const place = { room_id: room.id };
  await api.ask("openRoomVoice", place, call);
  await api.ask("openRoomVoice", place, { ...call, headers: { Upgrade: "websocket" } });
  await api.ask("openRoomVoice", place, { ...call, headers: UPGRADE });
  await api.ask("openRoomVoice", { room_id: "room_1" }, call);
}
