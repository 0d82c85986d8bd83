// The port of models that hear and speak. Adapters are in model/voice/: one for each provider, and the cascade of a model
// that writes speech down, the agent's own model and a model that says its text.
import type { ErrorInfo, Msg, Usage } from "../../protocol/messages/messages.ts";
import type { TurnSettings } from "../../protocol/voice/contract.ts";
import type { FailureReport } from "../failure-report.ts";
import type { Model, StopSignal, ToolDeclaration } from "../ports.ts";

/** Rates of audio in hertz. Audio is PCM16LE of one channel. */
export interface AudioRates {
  readonly input: number;
  readonly output: number;
}

/** An event of a provider connection, in AgentScope's names. Ids of items and responses are the provider's. */
export type VoiceModelEvent =
  | { readonly type: "session_created"; readonly session_id: string }
  | { readonly type: "session_ended"; readonly reason: string }
  | { readonly type: "response_created"; readonly response_id: string }
  | {
      readonly type: "response_done";
      readonly response_id: string;
      readonly status: "completed" | "cancelled" | "failed" | "incomplete";
      readonly usage: Usage | null;
      readonly error?: ErrorInfo;
    }
  | {
      readonly type: "response_audio_delta";
      readonly response_id: string;
      readonly item_id: string;
      readonly audio: Uint8Array;
    }
  | {
      readonly type: "response_audio_done";
      readonly response_id: string;
      readonly item_id: string;
    }
  /**
   * The text of what follows as audio. The deltas of a response make the text that its model call writes, to the character:
   * in a cascade with the marks of Markdown and the code that are not said.
   */
  | {
      readonly type: "response_audio_transcript_delta";
      readonly response_id: string;
      readonly item_id: string;
      readonly delta: string;
    }
  | {
      readonly type: "response_audio_transcript_done";
      readonly response_id: string;
      readonly item_id: string;
    }
  | {
      readonly type: "response_tool_use_delta";
      readonly response_id: string;
      readonly item_id: string;
      readonly call_id: string;
      readonly name: string;
      readonly delta: string;
    }
  | {
      readonly type: "response_tool_use_done";
      readonly response_id: string;
      readonly item_id: string;
      readonly call_id: string;
      readonly name: string;
      readonly input: string;
    }
  | {
      readonly type: "input_transcription_delta";
      readonly item_id: string;
      readonly delta: string;
    }
  | {
      readonly type: "input_transcription_done";
      readonly item_id: string;
      readonly transcript: string;
      readonly usage: Usage | null;
    }
  /** The user began to speak, so many milliseconds into the audio of the connection. */
  | {
      readonly type: "input_started";
      readonly item_id: string;
      readonly audio_start_ms: number;
    }
  /** The user's turn has ended: by silence or by a commit. */
  | { readonly type: "input_done"; readonly item_id: string; readonly audio_end_ms: number }
  /** With `item_id`: the transcription of that item failed. */
  | {
      readonly type: "error";
      readonly code: string;
      readonly message: string;
      readonly item_id?: string;
    };

/** The beginning of a provider connection. */
export interface VoiceSetup {
  readonly instructions: string;
  readonly history: readonly Msg[];
  /** Ids of spoken messages that come later, with replies that wait, and that an earlier connection has heard. */
  readonly unheard?: readonly string[];
  readonly tools: readonly ToolDeclaration[];
  readonly voice: string;
  /** Null: the client ends the user's turns. */
  readonly turns: TurnSettings | null;
  readonly rates: AudioRates;
}

export interface VoiceModel {
  readonly name: string;
  readonly mode: "cascade" | "realtime";
  /** The rates that it takes and gives; the transport resamples. */
  readonly rates: AudioRates;
  /** Whether what was not heard leaves its conversation by our word, by its own, or not at all. */
  readonly truncation: "explicit" | "server" | "none";
  /** Whether typed text is answered; false for one that takes none, of an agent without a model that says. */
  readonly takesText?: boolean;
  /**
   * Contract: never throws or rejects. Events come one after the other, never within the call that causes them, and none
   * after `close` or `stop`.
   */
  open(
    setup: VoiceSetup,
    onEvent: (event: VoiceModelEvent) => void,
    stop: StopSignal,
  ): Promise<
    | { readonly ok: true; readonly connection: VoiceConnection }
    /** With the facts that developers are told, where the provider was asked. */
    | { readonly ok: false; readonly error: ErrorInfo; readonly report?: FailureReport }
  >;
}

/** A provider connection. Contract: nothing of it throws; one that has ended does nothing. */
export interface VoiceConnection {
  /** Audio at the input's rate. */
  appendAudio(pcm: Uint8Array): void;
  /** The user's turn ends here. */
  commit(): void;
  /** Audio since the last turn is forgotten. */
  clear(): void;
  /** The models of a spoken reply in place of the given: a cascade wraps each, realtime gives one of its own. */
  speaks(models: readonly [Model, ...Model[]]): readonly [Model, ...Model[]];
  /** Ends the response under way. */
  cancel(): void;
  /** Cuts an item to what was heard of it. */
  truncate(itemId: string, playedMs: number, playedText: string): void;
  /** Takes an item out of which nothing was heard. */
  deleteItem(itemId: string): void;
  close(): void;
}
