// Events of a room on the wire. Its log has the events of its participants' replies as they are, with `metadata.participant`,
// and these: what people say, who is there, and who has a turn. No zod: clients read them.
import type { EventOf, LoggedEvent } from "../events.ts";
import type { ErrorInfo, Msg } from "../messages/messages.ts";

/** The member of an event's metadata that says whose it is; left out for one of the room itself. */
export const PARTICIPANT = "participant";
/** The member of the metadata of a copied `REPLY_START`: the turn that the reply is of. */
export const TURN_ID = "turn_id";
/** The name under which the moderator's events stand; no participant can have it. */
export const MODERATOR = "moderator";
/** The name of a message of the room itself, such as its announcement; no participant can have it. */
export const ROOM_SPEAKER = "room";

/** A message of a person or of the room; its value is {@link RoomMessageValue}. */
export const ROOM_MESSAGE_ADDED = "message_added";
/** The members after a change, by AgentScope's name; its value is {@link TeamUpdatedValue}. */
export const TEAM_UPDATED = "team_updated";
/** The order of turns and the bounds after a change; its value is {@link RoomSettings}. */
export const ROOM_UPDATED = "room_updated";
export const ROOM_DISCUSSION_STARTED = "room_discussion_started";
export const ROOM_DISCUSSION_ENDED = "room_discussion_ended";
export const ROOM_ROUND_STARTED = "room_round_started";
export const ROOM_ROUND_ENDED = "room_round_ended";
export const ROOM_TURN_STARTED = "room_turn_started";
export const ROOM_TURN_ENDED = "room_turn_ended";
/** A person's turn waits for an input; in the commit of its `room_turn_started`. */
export const ROOM_INPUT_REQUIRED = "room_input_required";
/** Something is to stop: one participant's turn, or all of the discussion. */
export const ROOM_INTERRUPTED = "room_interrupted";
/** A participant has been given what the others have said outside its turns. */
export const ROOM_DELIVERED = "room_delivered";
/** The end of what was said before as a part of the conversation: a state is put in its place. */
export const ROOM_CLEARED = "room_cleared";
/** A participant has to say something though nobody has spoken to it: a background task of its has ended. */
export const ROOM_TURN_WANTED = "room_turn_wanted";

/**
 * The participants who get a turn: all, one after the other; all at once; those whom a message names; the one whom a
 * moderator names.
 */
export type TurnOrder = "sequential" | "parallel" | "mentioned" | "moderated";

/** `moderator_failed`: the moderator's reply has failed, or has named nobody who is there. */
export type DiscussionEnd =
  | "completed"
  | "max_rounds"
  | "max_tokens"
  | "timeout"
  | "interrupted"
  | "moderator_failed";

/** The first four are ends of a reply; `completed` also of a person's turn that was answered. */
export type TurnEnd =
  | "completed"
  | "interrupted"
  | "exceed_max_iters"
  | "error"
  | "timeout"
  | "left";

export interface RoomSettings {
  readonly order: TurnOrder;
  /** Rounds of one discussion in `sequential` and `parallel`. */
  readonly rounds: number;
  readonly max_rounds: number;
  /** Tokens of one discussion; null for no bound. A turn that runs is not cut off. */
  readonly max_tokens: number | null;
  /** Of one discussion. */
  readonly max_ms: number | null;
  /** From a turn's start to its end, with the time that it waits for a person. */
  readonly turn_timeout_ms: number | null;
}

interface TeamAgent {
  readonly name: string;
  readonly kind: "agent";
  readonly agent_id: string;
  readonly agent_version: number;
  readonly session_id: string;
}

interface TeamPerson {
  readonly name: string;
  readonly kind: "person";
  /** Whether a round waits for what the person says. */
  readonly awaited: boolean;
  /** A JSON Schema that an awaited input has to fit; null for words. */
  readonly form: Readonly<Record<string, unknown>> | null;
  /** After `turn_timeout_ms` too, whichever is sooner; null for no other bound. */
  readonly input_timeout_ms: number | null;
}

export type TeamMember = TeamAgent | TeamPerson;

export interface TeamUpdatedValue {
  /** In the order of turns. */
  readonly members: readonly TeamMember[];
  /** Null in every order but `moderated`. */
  readonly moderator: TeamAgent | null;
  /** Newcomers, with the seq of the log behind which they are told what is said: 0 for all of it. */
  readonly joined: readonly { readonly name: string; readonly hears_from: number }[];
  /** Names of those who are not there any more. */
  readonly left: readonly string[];
}

/** `team_updated` in the log of a participant's session: what its agent knows of the room. */
export interface SessionTeamValue {
  /** The name under which the session's agent speaks; {@link MODERATOR} for the moderator. */
  readonly self: string;
  readonly order: TurnOrder;
  readonly members: readonly Pick<TeamMember, "name" | "kind">[];
}

export interface RoomMessageValue {
  readonly message: Msg;
  /** Null for somebody who is no participant, and for the room itself. */
  readonly participant: string | null;
  /** Names of participants; never those of the text. */
  readonly mentions: readonly string[];
  /** The person's turn that it answers; null for a message that nobody waited for. */
  readonly turn_id: string | null;
  /** Whether it ends the discussion that runs. */
  readonly interrupts: boolean;
  /** Whether it is told without a discussion, as an announcement is. */
  readonly announces: boolean;
}

export interface RoomDiscussionStartedValue {
  /** 1 for the room's first. */
  readonly discussion: number;
  /** The message that has begun it; null when the end of a background task has. */
  readonly message_id: string | null;
}

interface RoomDiscussionEndedValue {
  readonly discussion: number;
  readonly reason: DiscussionEnd;
}

export interface RoomRoundStartedValue {
  readonly discussion: number;
  /** 1 for the discussion's first. */
  readonly round: number;
  readonly order: TurnOrder;
  /** Names of participants who get a turn, in order; empty until a moderator has named one. */
  readonly participants: readonly string[];
}

interface RoomRoundEndedValue {
  readonly discussion: number;
  readonly round: number;
}

export interface RoomTurnStartedValue {
  readonly turn_id: string;
  /** {@link MODERATOR} for the moderator. */
  readonly participant: string;
  readonly discussion: number;
  readonly round: number;
  /** The turn is told what the others have said up to this seq. */
  readonly hears_to: number;
}

export interface RoomTurnEndedValue {
  readonly turn_id: string;
  readonly participant: string;
  readonly discussion: number;
  readonly round: number;
  readonly reason: TurnEnd;
  /** Null for a person's turn, and for one that never began. */
  readonly reply_id: string | null;
  /** Participants whom the turn's text names, in its order. */
  readonly mentions: readonly string[];
  /** Of the moderator's turn: the one who is next, or null; left out where nobody could be read. */
  readonly next?: string | null;
  /** Of a turn that has failed. */
  readonly error: ErrorInfo | null;
}

export interface RoomInputRequiredValue {
  readonly turn_id: string;
  readonly participant: string;
  readonly form: Readonly<Record<string, unknown>> | null;
  /** ISO 8601; null when it waits without an end. */
  readonly expires_at: string | null;
}

export interface RoomInterruptedValue {
  /** Null for the whole discussion. */
  readonly participant: string | null;
  readonly reason: "interrupted" | "timeout";
}

interface RoomDeliveredValue {
  readonly participant: string;
  readonly hears_to: number;
}

interface RoomTurnWantedValue {
  readonly participant: string;
}

/** The values of the room's own events, by name. The platform alone writes them, so that their shape is known. */
export interface RoomEventValues {
  readonly [ROOM_MESSAGE_ADDED]: RoomMessageValue;
  readonly [TEAM_UPDATED]: TeamUpdatedValue;
  readonly [ROOM_UPDATED]: RoomSettings;
  readonly [ROOM_DISCUSSION_STARTED]: RoomDiscussionStartedValue;
  readonly [ROOM_DISCUSSION_ENDED]: RoomDiscussionEndedValue;
  readonly [ROOM_ROUND_STARTED]: RoomRoundStartedValue;
  readonly [ROOM_ROUND_ENDED]: RoomRoundEndedValue;
  readonly [ROOM_TURN_STARTED]: RoomTurnStartedValue;
  readonly [ROOM_TURN_ENDED]: RoomTurnEndedValue;
  readonly [ROOM_INPUT_REQUIRED]: RoomInputRequiredValue;
  readonly [ROOM_INTERRUPTED]: RoomInterruptedValue;
  readonly [ROOM_DELIVERED]: RoomDeliveredValue;
  readonly [ROOM_CLEARED]: Readonly<Record<string, never>>;
  readonly [ROOM_TURN_WANTED]: RoomTurnWantedValue;
}

export type RoomEventName = keyof RoomEventValues;

/** An event of the room itself, by name. */
export type RoomEvent = {
  readonly [Name in RoomEventName]: { readonly name: Name; readonly value: RoomEventValues[Name] };
}[RoomEventName];

const NAMES: ReadonlySet<string> = new Set<RoomEventName>([
  ROOM_MESSAGE_ADDED,
  TEAM_UPDATED,
  ROOM_UPDATED,
  ROOM_DISCUSSION_STARTED,
  ROOM_DISCUSSION_ENDED,
  ROOM_ROUND_STARTED,
  ROOM_ROUND_ENDED,
  ROOM_TURN_STARTED,
  ROOM_TURN_ENDED,
  ROOM_INPUT_REQUIRED,
  ROOM_INTERRUPTED,
  ROOM_DELIVERED,
  ROOM_CLEARED,
  ROOM_TURN_WANTED,
]);

/** The room's own event; null for one of a participant's reply, whose `CUSTOM` events have its id. */
export function roomEventOf(event: LoggedEvent): RoomEvent | null {
  if (event.type !== "CUSTOM" || event.reply_id !== undefined || !NAMES.has(event.name)) {
    return null;
  }
  return { name: event.name, value: event.value } as unknown as RoomEvent;
}

/** Draft of an event of the room itself. */
export function roomEvent<Name extends RoomEventName>(
  name: Name,
  value: RoomEventValues[Name],
  participant?: string | null,
): Pick<EventOf<"CUSTOM">, "type" | "name" | "value"> & { metadata?: Record<string, unknown> } {
  return {
    type: "CUSTOM",
    name,
    value: { ...value },
    ...(participant && { metadata: { [PARTICIPANT]: participant } }),
  };
}

/** The participant whose event it is; null for one of the room itself. */
export function participantOf({ metadata }: Pick<LoggedEvent, "metadata">): string | null {
  const name = metadata[PARTICIPANT];
  return typeof name === "string" ? name : null;
}
