import type { RoomStep } from "../../agent/rooms/room-step.ts";

/** Turns wait for the end of speech: the others are told the part of it that was heard, which is known only then. */
export function waitsForFloor({ type }: RoomStep): boolean {
  return (
    type === "begin_turn" ||
    type === "ask_moderator" ||
    type === "await_person" ||
    type === "deliver"
  );
}
