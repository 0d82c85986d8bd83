import type { RoomStep } from "../../agent/rooms/room-step.ts";

/** Turns begin when nobody is heard any more, and the others are told what was heard, which is known then. */
export function waitsForFloor({ type }: RoomStep): boolean {
  return (
    type === "begin_turn" ||
    type === "ask_moderator" ||
    type === "await_person" ||
    type === "deliver"
  );
}
