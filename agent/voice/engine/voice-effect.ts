// Effects of the engine of a voice connection: what its owner does, in order.
import type { AudioUsage, Usage } from "../../../protocol/messages/messages.ts";
import type { ServerFrame } from "../../../protocol/voice/frames.ts";

/** A command to the provider connection. While that is being opened, the owner keeps them in order. */
export type ProviderCommand =
  | { readonly type: "open" }
  /** The audio of this input. */
  | { readonly type: "append" }
  | { readonly type: "commit" }
  | { readonly type: "clear" }
  | { readonly type: "cancel" }
  | {
      readonly type: "truncate";
      readonly item_id: string;
      readonly played_ms: number;
      readonly played_text: string;
    }
  | { readonly type: "delete_item"; readonly item_id: string }
  | { readonly type: "close" };

/** A message that was spoken and is not transcribed yet. */
export interface SpokenTurn {
  /** The number of its audio. */
  readonly item: number;
  /** Its audio is what the provider connection was given from this millisecond on, */
  readonly start_ms: number;
  /** up to this one. */
  readonly end_ms: number;
}

/** The input of a reply. */
export type TurnMessage =
  | ({ readonly type: "speech" } & SpokenTurn)
  | { readonly type: "text"; readonly text: string; readonly ref?: string }
  /** Messages that were placed before. */
  | { readonly type: "placed" };

export type VoiceEffect =
  | {
      readonly type: "send";
      readonly frame: Extract<
        ServerFrame,
        { type: "audio_end" } | { type: "audio_clear" } | { type: "error" }
      >;
    }
  /** Audio at the model's output rate; `ms` from the item's start to its first sample. */
  | {
      readonly type: "send_audio";
      readonly item: number;
      readonly ms: number;
      readonly audio: Uint8Array;
    }
  /** Nothing more is heard of an item of the agent: told to an owner that keeps audio. `of` is null when no text has it. */
  | {
      readonly type: "item_over";
      readonly item: number;
      readonly heard_ms: number;
      readonly of: { readonly message_id: string; readonly block_id: string } | null;
    }
  | { readonly type: "provider"; readonly command: ProviderCommand }
  /** A spoken message takes its place in the conversation; no reply begins. */
  | ({ readonly type: "place_message"; readonly turn: number } & SpokenTurn)
  | {
      readonly type: "begin_reply";
      readonly turn: number;
      readonly message: TurnMessage;
      readonly on_busy: "queue" | "interrupt";
    }
  /** Null: whichever runs. No model is asked for a remark. */
  | { readonly type: "interrupt_reply"; readonly reply_id: string | null }
  | {
      readonly type: "transcribed";
      readonly message_id: string;
      readonly text: string;
      readonly usage?: Usage;
    }
  /** So much more was said in a reply, which may have ended. */
  | { readonly type: "said"; readonly message_id: string; readonly audio: AudioUsage }
  | {
      readonly type: "truncate";
      readonly message_id: string;
      readonly block_id: string;
      readonly text: string;
      readonly played_ms: number;
    }
  /** A `tick` is due at this time; it replaces the one before. Null for none. */
  | { readonly type: "schedule"; readonly at_ms: number | null };
