// The fold of a room's log for its readers: messages with their speakers, whichever replies interleave, and who is there. No zod:
// clients run it.
import type { LoggedEvent } from "../events.ts";
import { appendEvent, startMessage } from "../fold/append-event.ts";
import type { Msg } from "../messages/messages.ts";
import {
  MODERATOR,
  participantOf,
  ROOM_CLEARED,
  ROOM_DISCUSSION_ENDED,
  ROOM_DISCUSSION_STARTED,
  ROOM_INPUT_REQUIRED,
  ROOM_MESSAGE_ADDED,
  ROOM_ROUND_STARTED,
  ROOM_TURN_ENDED,
  ROOM_TURN_STARTED,
  roomEventOf,
  TEAM_UPDATED,
  TURN_ID,
  type DiscussionEnd,
  type RoomEvent,
  type RoomInputRequiredValue,
  type TeamMember,
} from "./events.ts";

/** A message with its place in the conversation. */
export interface RoomMessage {
  /** Null for somebody who is no participant, and for the room itself; the message has a name in any case. */
  readonly participant: string | null;
  readonly message: Msg;
  /** The turn that it is of; null for a message that nobody waited for. */
  readonly turn_id: string | null;
  /** The place at which it has begun. */
  readonly seq: number;
  /** The place at which it was said to the others: of a reply its end, null before that. */
  readonly said_seq: number | null;
}

/** A turn that has begun and has not ended. */
export interface RoomTurn {
  readonly turn_id: string;
  readonly participant: string;
  readonly round: number;
}

export interface RoomConversation {
  /** The newest event that is in it; 0 for none. */
  readonly seq: number;
  /** In the order of their beginnings; those of the moderator, too. */
  readonly messages: readonly RoomMessage[];
  readonly members: readonly TeamMember[];
  /** 0 between discussions. */
  readonly round: number;
  readonly is_discussing: boolean;
  readonly turns: readonly RoomTurn[];
  /** People's turns that wait for what they say. */
  readonly input_requests: readonly RoomInputRequiredValue[];
  readonly last_end: { readonly reason: DiscussionEnd; readonly at: string } | null;
}

export const EMPTY_CONVERSATION: RoomConversation = {
  seq: 0,
  messages: [],
  members: [],
  round: 0,
  is_discussing: false,
  turns: [],
  input_requests: [],
  last_end: null,
};

/** The conversation behind an event. Pure; an event that is in it already changes nothing. */
export function appendRoomEvent(before: RoomConversation, event: LoggedEvent): RoomConversation {
  if (event.seq <= before.seq) return before;
  const conversation = { ...before, seq: event.seq };
  const own = roomEventOf(event);
  if (own) return appendOwn(conversation, own, event);
  const participant = participantOf(event);
  return participant === null ? conversation : appendOf(conversation, event, participant);
}

/** The conversation of a whole log. */
export function foldRoom(events: Iterable<LoggedEvent>): RoomConversation {
  let conversation = EMPTY_CONVERSATION;
  for (const event of events) conversation = appendRoomEvent(conversation, event);
  return conversation;
}

/** Messages that were said to the participants, in the order in which they have heard it. */
export function saidMessages({ messages }: RoomConversation): readonly RoomMessage[] {
  return messages
    .filter(({ said_seq, participant }) => said_seq !== null && participant !== MODERATOR)
    .sort((one, other) => (one.said_seq ?? 0) - (other.said_seq ?? 0));
}

function appendOwn(
  conversation: RoomConversation,
  own: RoomEvent,
  { seq, created_at }: LoggedEvent,
): RoomConversation {
  switch (own.name) {
    case ROOM_MESSAGE_ADDED: {
      const { message, participant, turn_id } = own.value;
      return added(conversation, { participant, message, turn_id, seq, said_seq: seq });
    }
    case ROOM_CLEARED:
      return { ...conversation, messages: [] };
    case TEAM_UPDATED:
      return { ...conversation, members: own.value.members };
    case ROOM_DISCUSSION_STARTED:
      return { ...conversation, is_discussing: true, round: 0 };
    case ROOM_DISCUSSION_ENDED: {
      const last_end = { reason: own.value.reason, at: created_at };
      return { ...conversation, is_discussing: false, round: 0, last_end };
    }
    case ROOM_ROUND_STARTED:
      return { ...conversation, round: own.value.round };
    case ROOM_TURN_STARTED: {
      const { turn_id, participant, round } = own.value;
      return { ...conversation, turns: [...conversation.turns, { turn_id, participant, round }] };
    }
    case ROOM_INPUT_REQUIRED:
      return { ...conversation, input_requests: [...conversation.input_requests, own.value] };
    case ROOM_TURN_ENDED: {
      const isOther = ({ turn_id }: { readonly turn_id: string }): boolean =>
        turn_id !== own.value.turn_id;
      return {
        ...conversation,
        turns: conversation.turns.filter(isOther),
        input_requests: conversation.input_requests.filter(isOther),
      };
    }
    default:
      return conversation;
  }
}

function appendOf(
  conversation: RoomConversation,
  event: LoggedEvent,
  participant: string,
): RoomConversation {
  if (event.type === "REPLY_START") {
    const turn = event.metadata[TURN_ID];
    const turn_id = typeof turn === "string" ? turn : null;
    const message = startMessage(event);
    return added(conversation, { participant, message, turn_id, seq: event.seq, said_seq: null });
  }
  const { reply_id } = event;
  const index = indexOfReply(conversation.messages, reply_id, participant);
  const found = conversation.messages[index];
  if (!found) return conversation;
  const message = appendEvent(found.message, event);
  const said_seq = event.type === "REPLY_END" ? event.seq : found.said_seq;
  if (message === found.message && said_seq === found.said_seq) return conversation;
  const messages = conversation.messages.slice();
  messages[index] = { ...found, message, said_seq };
  return { ...conversation, messages };
}

function added(conversation: RoomConversation, message: RoomMessage): RoomConversation {
  return { ...conversation, messages: [...conversation.messages, message] };
}

/** From the end: those that still grow are the newest. @returns -1 for none. */
function indexOfReply(
  messages: readonly RoomMessage[],
  replyId: string | undefined,
  participant: string,
): number {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const one = messages[index];
    if (one?.message.id === replyId && one?.participant === participant) return index;
  }
  return -1;
}
