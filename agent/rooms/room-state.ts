// The state of a room: a fold of its log. A JSON value, stored in the commit of the events that change it.
import type {
  DiscussionEnd,
  RoomSettings,
  TeamMember,
  TurnEnd,
} from "../../protocol/rooms/events.ts";
import type { PendingCall } from "../../protocol/replies/contract.ts";

/** A participant who is there, or the moderator. */
export type RoomMember = TeamMember & {
  /** The session has what the others have said up to this seq. */
  readonly heard_seq: number;
};

/** A turn that has begun and has not ended. */
export interface OpenTurn {
  readonly turn_id: string;
  readonly participant: string;
  readonly kind: "agent" | "person" | "moderator";
  readonly round: number;
  /** The input is what the others have said behind `hears_from`, up to `hears_to`. */
  readonly hears_from: number;
  readonly hears_to: number;
  /** Unix milliseconds, as all times here. */
  readonly started_ms: number;
  /** The time at which it ends by name; null for no bound. */
  readonly deadline_ms: number | null;
  /** Null until its reply has begun. */
  readonly reply_id: string | null;
  /** Set when its reply has ended, or its person has answered. */
  readonly ended: TurnEnd | null;
  /** Set while it is being stopped. */
  readonly stopping: { readonly reason: TurnEnd; readonly at_ms: number } | null;
}

export interface OpenRound {
  readonly round: number;
  /** The seq of the newest message before it has begun: the input of turns that begin at once. */
  readonly hears_to: number;
  /** Participants who have had no turn yet, in order. */
  readonly queue: readonly string[];
  /** Whether a moderator has to name the one who is next. */
  readonly is_open: boolean;
}

export interface Discussion {
  readonly discussion: number;
  readonly started_ms: number;
  /** Null when the end of a background task has begun it. */
  readonly message_id: string | null;
  /** Begun so far. */
  readonly rounds: number;
  readonly round: OpenRound | null;
  readonly turns: readonly OpenTurn[];
  /** Used by its turns. */
  readonly tokens: number;
  /** Names that agents have mentioned since the newest round has begun. */
  readonly mentions: readonly string[];
  /** True once the moderator has ended the discussion by naming no speaker. */
  readonly is_done: boolean;
  /** Set when nothing more begins. */
  readonly ending: DiscussionEnd | null;
}

/** A reply that has begun and has not ended. */
export interface OpenReply {
  readonly reply_id: string;
  readonly session_id: string;
  readonly turn_id: string | null;
  readonly participant: string;
}

/** A call of a participant's reply, or of an agent that it has called, that waits for an answer. */
export type RoomPending = PendingCall & {
  readonly participant: string;
  /** The session and the reply that an answer is for. */
  readonly session_id: string;
  readonly reply_id: string;
  /** The participant's reply, under which it waits. */
  readonly turn_reply_id: string;
};

export interface RoomState {
  readonly settings: RoomSettings;
  readonly members: readonly RoomMember[];
  readonly moderator: RoomMember | null;
  /** The seq of the newest message of each speaker, also of those who have left. */
  readonly said: Readonly<Record<string, number>>;
  readonly replies: readonly OpenReply[];
  /** Oldest first. */
  readonly pending: readonly RoomPending[];
  /** Discussions begun so far. */
  readonly discussions: number;
  readonly discussion: Discussion | null;
  /** Messages of people behind which no round has begun: the newest one, and all whom they name. Null for none. */
  readonly unanswered: { readonly message_id: string; readonly mentions: readonly string[] } | null;
  /** Agents for whom a background task has ended outside a turn. */
  readonly woken: readonly string[];
  readonly last_end: { readonly reason: DiscussionEnd; readonly at: string } | null;
}

export const EMPTY_ROOM: RoomState = {
  settings: {
    order: "sequential",
    rounds: 1,
    max_rounds: 10,
    max_tokens: null,
    max_ms: null,
    turn_timeout_ms: null,
  },
  members: [],
  moderator: null,
  said: {},
  replies: [],
  pending: [],
  discussions: 0,
  discussion: null,
  unanswered: null,
  woken: [],
  last_end: null,
};
