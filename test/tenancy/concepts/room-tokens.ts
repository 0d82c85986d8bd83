// Client tokens of rooms, and tickets for their streams.
import { MAX_TOKEN_TTL_SECONDS } from "../../../protocol/keys/limits.ts";
import type { RoomToken } from "../../../protocol/rooms/room-tokens.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { openRoom } from "../open-room.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  createRoomToken: {
    answers: 201,
    isSilent: true,
    body: () => ({ verbs: ["read"] }),
    besides: ["rooms:read"],
    shows: [],
    stores: ["+room.client_tokens", "+room.token_participants"],
    bounds: {
      "room.client_tokens": `those of ${MAX_TOKEN_TTL_SECONDS} s`,
      "room.token_participants": `those of ${MAX_TOKEN_TTL_SECONDS} s`,
    },
  },
  listRoomTokens: { answers: 200, isSilent: true, shows: [] },
  revokeRoomToken: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["~room.client_tokens"],
  },
  createRoomStreamTicket: {
    answers: 201,
    isSilent: true,
    body: ({ ids }) => ({ path: `/v1/rooms/${ids.room_id}/events` }),
    places: [
      {
        where: "body path",
        id: ({ ids }) => ids.room_id,
        body: (room_id) => ({ path: `/v1/rooms/${room_id}/events` }),
        refused: 400,
      },
    ],
    shows: [],
    stores: ["+room.client_tokens", "+room.token_participants"],
    bounds: {
      "room.client_tokens": `those of ${MAX_TOKEN_TTL_SECONDS} s`,
      "room.token_participants": `those of ${MAX_TOKEN_TTL_SECONDS} s`,
    },
  },
} satisfies ConceptRows;

export const KEYED = {
  async createRoomToken() {
    const { call, path } = await openRoom();
    return {
      path: `${path}/tokens`,
      call,
      json: { verbs: ["read"] },
      other: { verbs: ["interrupt"] },
      secrets: ["token"],
      count: () => countListed(`${path}/tokens`, call),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, room } = await openRoom();
  const place = { room_id: room.id };
  const minted = { ...call, json: { participant: "Mia" } };
  const { json: token } = await api.ask<RoomToken>("createRoomToken", place, minted);
  await api.ask("createRoomToken", place, { ...call, json: { participant: "ann" } });
  await api.ask("listRoomTokens", place, call);
  await api.ask("revokeRoomToken", { ...place, room_token_id: token.id }, call);
  const stream = { path: `/v1/rooms/${room.id}/events` };
  await api.ask("createRoomStreamTicket", place, { ...call, json: stream });
}
