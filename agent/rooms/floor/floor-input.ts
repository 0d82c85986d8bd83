// Inputs and effects of the floor of a room that speaks.
import type { RoomOwnFrame } from "../../../protocol/voice/frames.ts";

type PersonInput = { readonly participant: string } & (
  | { readonly type: "joined" }
  | { readonly type: "left" }
  /** Speech was found in a person's audio. */
  | { readonly type: "speech_began" }
  /** The person's turn has ended, and is being written down; or there is none. */
  | { readonly type: "speech_ended"; readonly is_written: boolean }
  /** A turn is a message now, or never will be. */
  | { readonly type: "speech_settled" }
  /** Audio came of a person who is not heard. */
  | { readonly type: "refused_audio" }
  | { readonly type: "played"; readonly item: number; readonly ms: number }
  /** Typed text, or an interrupt, of the person; with an empty name it is of the room itself. */
  | { readonly type: "cut_in" }
);

type AgentInput = { readonly participant: string } &
  /** A model call of the reply is being said. */
  (
    | { readonly type: "reply_began"; readonly reply_id: string }
    /** The room's log has the end of the agent's turn. */
    | { readonly type: "turn_ended" }
    | { readonly type: "item_began"; readonly agent_item: number; readonly reply_id: string }
    | { readonly type: "audio"; readonly agent_item: number; readonly ms: number }
    | { readonly type: "audio_ended"; readonly agent_item: number }
    | { readonly type: "audio_cleared"; readonly agent_item: number }
    /** All that the reply has said so far is said aloud. */
    | { readonly type: "reply_said"; readonly reply_id: string }
    /** The agent's session has cut off what it said; then the room has what was heard. */
    | { readonly type: "cut_over" }
    | { readonly type: "cut_settled" }
    /** Its connection has gone. */
    | { readonly type: "agent_lost" }
  );

/** `now` never goes back. */
export type FloorInput = { readonly now: number } & (
  | PersonInput
  | AgentInput
  | { readonly type: "tick" }
);

/** A frame to the people: to all who are connected, or to one. */
export interface FloorFrame {
  readonly type: "send";
  readonly frame:
    | Extract<RoomOwnFrame, { type: "item" } | { type: "floor_taken" }>
    | { readonly type: "audio_end"; readonly item: number; readonly ms: number }
    | { readonly type: "audio_clear"; readonly item: number };
  readonly to: string | null;
}

export type FloorEffect =
  | FloorFrame
  /** The audio of this input, at its place in the item. */
  | { readonly type: "send_audio"; readonly item: number; readonly ms: number }
  | {
      readonly type: "tell_agent";
      readonly participant: string;
      readonly frame:
        | { readonly type: "played"; readonly item: number; readonly ms: number }
        | { readonly type: "cut_in" };
    }
  /** A person goes before the discussion. */
  | { readonly type: "interrupt_discussion" }
  /** The next turn may begin. */
  | { readonly type: "freed" }
  /** A `tick` is due at this time; it replaces the one before. Null for none. */
  | { readonly type: "schedule"; readonly at_ms: number | null };
