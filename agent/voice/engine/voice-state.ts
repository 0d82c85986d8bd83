// The state of the engine of a voice connection: plain data, which its owner may write down or forget when it is quiet.
import type { AudioRates, VoiceModel } from "../voice-model.ts";
import type { Mark } from "../heard-text.ts";
import type { SpokenTurn, TurnMessage } from "./voice-effect.ts";

export interface VoiceEngineSettings {
  readonly mode: VoiceModel["mode"];
  /** Those of the model. */
  readonly rates: AudioRates;
  readonly truncation: VoiceModel["truncation"];
  /** Milliseconds without speech after which the provider connection is let go. */
  readonly idle_ms: number;
  /** Milliseconds of a voice connection. */
  readonly max_ms: number;
}

export interface VoiceState {
  readonly settings: VoiceEngineSettings;
  /** Null while no client is connected. */
  readonly client: ClientState | null;
  readonly provider: ProviderState;
  /** The user's speech that goes on. */
  readonly speech: OpenSpeech | null;
  /** The user's turns that have ended and are not settled, oldest first. */
  readonly turns: readonly Turn[];
  /** Replies that wait until what was interrupted has been cut, oldest first. */
  readonly held: readonly HeldReply[];
  /** The reply that the session runs, or that waits. */
  readonly reply: OpenReply | null;
  /** Replies that this connection has begun, oldest first; some of the newest. */
  readonly spoken: readonly string[];
  /** Model calls whose audio comes or is played, oldest first. */
  readonly calls: readonly SpokenCall[];
  /** Ids of the provider that are over, oldest first; some of the newest. */
  readonly past_ids: readonly string[];
  readonly next_item: number;
  readonly next_turn: number;
  /** When somebody spoke last, or something was played. */
  readonly active_ms: number;
  readonly scheduled_ms: number | null;
}

export interface ClientState {
  readonly turns: "server" | "manual";
  /** When the voice connection is over. */
  readonly ends_ms: number;
  /** Milliseconds of audio that may come at once, and frames of other kinds, as of `filled_ms`. */
  readonly audio_credit_ms: number;
  readonly frame_credit: number;
  readonly filled_ms: number;
  /** The client says what it has played; until it does, time is taken for it. */
  readonly reports: boolean;
}

export interface ProviderState {
  readonly status: "closed" | "opening" | "open";
  /** Detection with which it was opened. */
  readonly turns: "server" | "manual";
  /** Milliseconds of audio that it was given. */
  readonly given_ms: number;
  /** Milliseconds of these since the end of the last turn. */
  readonly uncommitted_ms: number;
  /** Attempts that have failed since the last event, and when the next may be made. */
  readonly failures: number;
  readonly retry_ms: number;
  /** Events of it that belong to nothing. */
  readonly strays: number;
}

export interface OpenSpeech {
  readonly item_id: string;
  readonly start_ms: number;
  /** When it began, by our clock. */
  readonly began_ms: number;
}

export interface Turn extends SpokenTurn {
  readonly turn: number;
  readonly item_id: string;
  readonly message_id: string | null;
  /** Null until it has come; `failed` when it never will. */
  readonly transcript: { readonly text: string } | "failed" | null;
  readonly ended_ms: number;
  /** A cascade's turn is answered when it is transcribed. */
  readonly is_answered: boolean;
}

export interface HeldReply {
  readonly turn: number;
  readonly message: TurnMessage;
}

export interface OpenReply {
  readonly reply_id: string;
  readonly is_call_open: boolean;
  /** Model calls that it has begun. */
  readonly calls: number;
}

/** What one model call of a spoken reply says: its text in the log, its audio in items. */
export interface SpokenCall {
  /** Null while the log has not told of the call. */
  readonly reply_id: string | null;
  /** Null while the provider has not told of a response. */
  readonly response_id: string | null;
  readonly blocks: readonly { readonly block_id: string; readonly text: string }[];
  readonly items: readonly OutputItem[];
  /** Nothing more of the call is written. */
  readonly is_written: boolean;
  /** No more audio of it comes, or what comes is thrown away. */
  readonly is_spoken: boolean;
  /** When an event of it came last. */
  readonly event_ms: number;
  /** Set when the user has cut it off. */
  readonly cut: Cut | null;
}

export interface OutputItem {
  readonly item_id: string;
  readonly item: number;
  /** Bytes of audio that the client was sent. */
  readonly bytes: number;
  readonly marks: readonly Mark[];
  /** Characters of the call's text up to the end of this item. */
  readonly characters: number;
  readonly is_done: boolean;
  readonly is_cleared: boolean;
  /** When its first audio was sent. */
  readonly began_ms: number;
  /** Milliseconds that the client has said it has played. */
  readonly played_ms: number;
}

export interface Cut {
  readonly at_ms: number;
  /** Until when the client's word about what it has played is waited for. */
  readonly due_ms: number;
  readonly is_told: boolean;
}
