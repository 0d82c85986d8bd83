import type { Room } from "../../protocol/rooms/contract.ts";
import type { Principal } from "../principal.ts";

/** A write answers with the room; a key that may not read rooms is not shown what is asked there. */
export function shownRoom(principal: Principal, room: Room): Room {
  if (principal.kind !== "tenant" || principal.scopes.includes("rooms:read")) return room;
  return { ...room, title: null, announcement: null, pending: [], input_requests: [] };
}
