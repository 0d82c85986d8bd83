// The state of the engine of a voice connection: plain data, which its owner may forget when it is quiet.
import type { Usage } from "../../../protocol/messages/messages.ts";
import type { AudioRates, VoiceModel } from "../voice-model.ts";
import type { Mark } from "../heard-text.ts";
import type { SpokenTurn, TurnMessage } from "./voice-effect.ts";

export interface VoiceEngineSettings {
  readonly mode: VoiceModel["mode"];
  /** The model's rates. */
  readonly rates: AudioRates;
  readonly truncation: VoiceModel["truncation"];
  /** Whether typed text is answered; it is when left out. */
  readonly takes_text?: boolean;
  /** Milliseconds without speech after which the provider connection is let go. */
  readonly idle_ms: number;
  /** Whether the owner keeps audio, and is told when an item is over. */
  readonly keeps_audio: boolean;
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
  /** Replies that the session was asked to begin, and has not said that it has. */
  readonly starting: readonly StartingReply[];
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
  /** Time of the last speech of the user, or of the last audio that was played. */
  readonly active_ms: number;
  /** When the client was told last that something failed at the provider. */
  readonly failed_ms: number;
  readonly scheduled_ms: number | null;
}

export interface ClientState {
  readonly turns: "server" | "manual";
  /** The connection that audio comes from; undefined for the only one. */
  readonly speaker: number | undefined;
  /** The client says what it has played; until it does, time is taken for it. */
  readonly reports: boolean;
}

export interface ProviderState {
  readonly status: "closed" | "opening" | "open";
  /** The detection with which it was opened, and when. */
  readonly turns: "server" | "manual";
  readonly opened_ms: number;
  /** Milliseconds of audio that it was given. */
  readonly given_ms: number;
  /** Milliseconds of that audio that belong to turns that are over. */
  readonly turned_ms: number;
  /** A commit of the client that has made no turn yet. */
  readonly commit: { readonly ref: string | undefined; readonly at_ms: number } | null;
  /** Losses since it was last of use, and when it may be opened again. */
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
  /** The speech was too long, so that the provider was told to end it. */
  readonly is_ended: boolean;
  /** Its text, where that has come before its end. */
  readonly transcript: Transcript | null;
}

/** The text of what was said, and the usage of writing it down. */
export interface Transcript {
  readonly text: string;
  readonly usage: Usage | null;
}

export interface Turn extends SpokenTurn {
  readonly turn: number;
  readonly item_id: string;
  readonly message_id: string | null;
  /** Null until it has come. */
  readonly transcript: Transcript | "failed" | null;
  readonly is_told: boolean;
  readonly ended_ms: number;
  /** A reply to it was begun, or none will be. */
  readonly is_answered: boolean;
}

export interface HeldReply {
  readonly turn: number;
  readonly message: TurnMessage;
  readonly ref: string | undefined;
}

interface StartingReply {
  readonly turn: number;
  readonly ref: string | undefined;
  /** The reply goes before what runs; otherwise it waits for its turn. */
  readonly is_next: boolean;
  /** The user has cut it off already. */
  readonly is_cut: boolean;
}

export interface OpenReply {
  readonly reply_id: string;
  readonly is_call_open: boolean;
  /** Model calls that it has begun. */
  readonly calls: number;
  readonly is_interrupted: boolean;
}

/** One model call of a spoken reply, with what it says: its text in the log, its audio in items. */
export interface SpokenCall {
  /** Null while the log has not told of the call. */
  readonly reply_id: string | null;
  /** The seq of its beginning in the log; null while the log has not told of it. */
  readonly seq: number | null;
  /** Null while the provider has not told of a response. */
  readonly response_id: string | null;
  readonly blocks: readonly SpokenBlock[];
  readonly items: readonly OutputItem[];
  /** Characters of the transcript so far. */
  readonly characters: number;
  /** Nothing more of the call is written. */
  readonly is_written: boolean;
  /** Nothing more of the response comes. */
  readonly is_done: boolean;
  /** The response has failed; what it said is made again, or stays as it is. */
  readonly is_failed: boolean;
  /** Audio and transcript that come of it are thrown away: nobody is there, or it would be too much. */
  readonly is_muted: boolean;
  /** When an event of it came last. */
  readonly event_ms: number;
  /** Set when the user has cut it off. */
  readonly cut: Cut | null;
  /** Audio that was made of it and is not told yet: bytes of audio, and tokens where the provider tells them. */
  readonly said: {
    readonly bytes: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
  };
}

export interface SpokenBlock {
  readonly block_id: string;
  readonly text: string;
}

export interface OutputItem {
  readonly item_id: string;
  /** Null while the client was sent nothing of it. */
  readonly item: number | null;
  /** Bytes of audio that the client was sent. */
  readonly bytes: number;
  readonly marks: readonly Mark[];
  /** Characters of the call's text up to the end of this item. */
  readonly characters: number;
  readonly is_done: boolean;
  /** When its first audio was sent. */
  readonly began_ms: number;
  /** Milliseconds that the client has said it has played. */
  readonly played_ms: number;
}

interface Cut {
  readonly at_ms: number;
  /** The connection that has cut it off: the others hear it end a moment later. */
  readonly by: number | undefined;
  /** The played part is known: the client has told it, or nothing was sent. */
  readonly is_told: boolean;
}
