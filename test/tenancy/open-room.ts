import type { Room } from "../../protocol/rooms/contract.ts";
import { ask, makeAgent, makeTenant } from "../worker/support/api.ts";

export const MIA = { name: "Mia", kind: "person", end_user_id: "mia" };

/** A room of a new tenant: an agent, and Mia. */
export async function openRoom(more: object = {}, agent: object = { name: "Desk" }) {
  const { id: tenant_id, call } = await makeTenant();
  const { id: agent_id } = await makeAgent(call, agent);
  const json = { participants: [{ name: "ann", agent_id }, MIA], ...more };
  const { json: room } = await ask<Room>("POST", "/v1/rooms", { ...call, json });
  return { tenant_id, call, agent_id, room, path: `/v1/rooms/${room.id}`, json };
}
