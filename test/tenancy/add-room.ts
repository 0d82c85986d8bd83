import type { Room } from "../../protocol/rooms/contract.ts";
import type { RoomToken } from "../../protocol/rooms/room-tokens.ts";
import { ask, type Call } from "../worker/support/api.ts";

interface Members {
  readonly agent_id: string;
  readonly end_user_id: string;
  readonly word: string;
}

/** A room of an agent and an end user, in which nobody speaks until somebody is named. @returns the ids of paths to it. */
export async function addRoom(call: Call, { agent_id, end_user_id, word }: Members) {
  const participant_name = `p${word}`;
  const json = {
    title: `Room ${word}-room`,
    metadata: { word: `${word}-room` },
    announcement: `This is ${word}-room`,
    turns: { order: "mentioned" },
    participants: [
      { name: word, agent_id },
      { name: participant_name, kind: "person", end_user_id },
    ],
  };
  const { json: room, status, text } = await ask<Room>("POST", "/v1/rooms", { ...call, json });
  if (status !== 201) throw new Error(`POST /v1/rooms answered ${status}: ${text}`);
  const minted = { ...call, json: { participant: participant_name } };
  const path = `/v1/rooms/${room.id}`;
  const { json: token } = await ask<RoomToken>("POST", `${path}/tokens`, minted);
  return { room_id: room.id, room_token_id: token.id, participant_name };
}
