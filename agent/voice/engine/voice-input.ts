// Inputs of the engine of a voice connection: what the client, the provider and the session say, and the time.
import type { ErrorCode } from "../../../protocol/errors.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { VoiceModelEvent } from "../voice-model.ts";

/**
 * Frames of the client that concern speech. Answers of calls and pictures go to the session, past the engine. A client is all
 * connections of a session: `from` is one of them, where that matters.
 */
export type ClientInput =
  /** The client's first frame was taken, for the first time or after its socket was lost. */
  | {
      readonly type: "client_opened";
      readonly turns: "server" | "manual";
      readonly from?: number;
    }
  | { readonly type: "client_closed" }
  /** Audio comes from another connection of the client now, from which it may have other turns. */
  | {
      readonly type: "speaker_changed";
      readonly turns: "server" | "manual";
      readonly from: number;
    }
  /** A frame of so many milliseconds of audio; the bytes stay with the caller until it is told to pass them on. */
  | { readonly type: "audio"; readonly ms: number; readonly ref?: string }
  | { readonly type: "commit"; readonly ref?: string }
  | { readonly type: "clear"; readonly ref?: string }
  | {
      readonly type: "text";
      readonly text: string;
      readonly from?: number;
      readonly ref?: string;
    }
  /** Somebody whom the client hears beside the agent has begun to speak: a reply that waits, or whose tools run, goes on. */
  | { readonly type: "cut_in" }
  | {
      readonly type: "interrupt";
      readonly reply_id?: string;
      /** The client has no right to end replies of others. */
      readonly only_spoken?: true;
      readonly from?: number;
      readonly ref?: string;
    }
  | {
      readonly type: "played";
      readonly item: number;
      readonly ms: number;
      readonly from?: number;
      readonly ref?: string;
    };

export type ProviderInput =
  | { readonly type: "model"; readonly event: VoiceModelEvent }
  | { readonly type: "provider_opened" }
  /** The provider could not be opened, or was lost without a `session_ended`. */
  | { readonly type: "provider_lost" }
  /** A spoken reply is about to call its model: the provider is opened if it is not. */
  | { readonly type: "provider_wanted" };

export type SessionInput =
  /**
   * An event of the session's log, in order, told when it is appended: before what follows of it at the provider, not when it
   * is on disk.
   */
  | { readonly type: "logged"; readonly event: LoggedEvent }
  /** The answers to `place_message` and `begin_reply`; a queued reply has begun in this sense. */
  | { readonly type: "message_placed"; readonly turn: number; readonly message_id: string }
  | {
      readonly type: "reply_begun";
      readonly turn: number;
      readonly reply_id: string;
      /** The message that was placed with it, if one was. */
      readonly message_id: string | null;
    }
  | {
      readonly type: "act_refused";
      readonly turn: number;
      readonly code: ErrorCode;
      readonly detail: string;
    };

/** `now` never goes back. */
export type VoiceInput = { readonly now: number } & (
  | ClientInput
  | ProviderInput
  | SessionInput
  /** The time of the last `schedule`, or any other, has come. */
  | { readonly type: "tick" }
);
