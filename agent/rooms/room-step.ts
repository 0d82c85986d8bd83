// The steps of a room: what is to be done in a state of it.
import type { DiscussionEnd, TurnEnd } from "../../protocol/rooms/events.ts";

/** A step that is done when its events are in the log: `stepEvents` has them. */
export type CommittedStep =
  | { readonly type: "begin_discussion"; readonly message_id: string | null }
  | {
      readonly type: "begin_round";
      readonly round: number;
      readonly participants: readonly string[];
    }
  /** An agent's turn: its reply is begun by `run_turn`, when this is on disk. */
  | {
      readonly type: "begin_turn";
      readonly participant: string;
      readonly round: number;
      readonly hears_to: number;
    }
  /** The moderator's turn, under its own name. */
  | { readonly type: "ask_moderator"; readonly round: number; readonly hears_to: number }
  /** A person's turn. */
  | {
      readonly type: "await_person";
      readonly participant: string;
      readonly round: number;
      readonly hears_to: number;
    }
  /** A turn, or the discussion for null, has had its time. */
  | { readonly type: "time_out"; readonly participant: string | null }
  | {
      readonly type: "end_turn";
      readonly turn_id: string;
      readonly participant: string;
      readonly round: number;
      readonly reason: TurnEnd;
      readonly reply_id: string | null;
    }
  | { readonly type: "end_round"; readonly round: number }
  | { readonly type: "end_discussion"; readonly reason: DiscussionEnd };

/**
 * A step outside the room's log, which a session does. It may be repeated at any time, and stays due until the log says that
 * it is done: `run_turn` by the copied `REPLY_START`, `stop_reply` by `REPLY_END`, `deliver` by `room_delivered`.
 */
export type OutsideStep =
  | {
      readonly type: "run_turn";
      readonly turn_id: string;
      readonly participant: string;
      /** Messages of others behind this seq are its input, */
      readonly hears_from: number;
      /** up to this one. */
      readonly hears_to: number;
      /** Tokens that the discussion has left; null for no bound. */
      readonly tokens_left: number | null;
    }
  | {
      readonly type: "stop_reply";
      readonly participant: string;
      readonly turn_id: string | null;
      /** Null while no reply of the turn is known. */
      readonly reply_id: string | null;
    }
  | {
      readonly type: "deliver";
      readonly participant: string;
      readonly hears_from: number;
      readonly hears_to: number;
    };

export type RoomStep = CommittedStep | OutsideStep;
