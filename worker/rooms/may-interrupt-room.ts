import type { Principal } from "../principal.ts";

/** Of a key, the scope that speaking in a room needs is enough. */
export function mayInterruptRoom(principal: Principal): boolean {
  return principal.kind !== "room_token" || principal.verbs.includes("interrupt");
}
