// A message of a room that is followed to the end of the discussion that has answered it. Pure, as the fold of the room.
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import {
  ROOM_CLEARED,
  ROOM_DISCUSSION_ENDED,
  ROOM_DISCUSSION_STARTED,
  ROOM_INTERRUPTED,
  ROOM_ROUND_STARTED,
  ROOM_TURN_ENDED,
  type DiscussionEnd,
  type RoomEvent,
  type RoomTurnEndedValue,
} from "../../protocol/rooms/events.ts";

/** A message as far as its discussion has come. A JSON value. */
export interface FollowedMessage {
  /** The discussion that answers it; null before one does. */
  readonly discussion: number | null;
  /** Whether a turn of it has ended by itself. */
  readonly is_answered: boolean;
  /** Of the newest turn that has failed; null for none. */
  readonly error: ErrorInfo | null;
  /** The end of the discussion; `interrupted` also for a message that none answers any more. */
  readonly end: DiscussionEnd | null;
}

export const UNANSWERED: FollowedMessage = {
  discussion: null,
  is_answered: false,
  error: null,
  end: null,
};

/** The message behind an event that follows it in the log. @returns the same value when the event changes nothing. */
export function followMessage(message: FollowedMessage, event: RoomEvent): FollowedMessage {
  if (message.end !== null) return message;
  switch (event.name) {
    // A message that comes during a discussion is answered by its next round, or by a discussion of its own.
    case ROOM_DISCUSSION_STARTED:
    case ROOM_ROUND_STARTED:
      return message.discussion === null
        ? { ...message, discussion: event.value.discussion }
        : message;
    case ROOM_TURN_ENDED:
      return event.value.discussion === message.discussion ? ofTurn(message, event.value) : message;
    case ROOM_DISCUSSION_ENDED:
      return event.value.discussion === message.discussion
        ? { ...message, end: event.value.reason }
        : message;
    case ROOM_INTERRUPTED: {
      const { participant, reason } = event.value;
      const isGivenUp = participant === null && reason === "interrupted";
      return isGivenUp && message.discussion === null
        ? { ...message, end: "interrupted" }
        : message;
    }
    case ROOM_CLEARED:
      return { ...message, end: "interrupted" };
    default:
      return message;
  }
}

function ofTurn(message: FollowedMessage, { reason, error }: RoomTurnEndedValue): FollowedMessage {
  switch (reason) {
    case "completed":
    case "exceed_max_iters":
      return { ...message, is_answered: true };
    case "error":
      return { ...message, error: error ?? message.error };
    default:
      return message;
  }
}
