// The ports of a cascade: a model that writes speech down, and one that says a text. Audio is PCM16LE of one channel.
import type { StopSignal } from "../../../agent/ports.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";

/** A failure of either, in words for the tenant's developers: those of the provider are redacted and bounded. */
export interface SpeechFailure {
  readonly code: string;
  readonly message: string;
}

export type Transcript =
  | { readonly ok: true; readonly text: string; readonly usage: Usage | null }
  | { readonly ok: false; readonly failure: SpeechFailure };

export interface TranscriptionPort {
  /** Of the audio that it takes, in hertz. */
  readonly rate: number;
  /**
   * The text of one turn. Contract: never rejects; after `stop` it ends soon, with whatever.
   * @param onDelta Told pieces of the text where they come before the whole.
   */
  transcribe(
    pcm: Uint8Array,
    stop: StopSignal,
    onDelta: (delta: string) => void,
  ): Promise<Transcript>;
}

/** Null when all was said. */
export type SpeechOutcome = SpeechFailure | null;

export interface SpeechPort {
  /** Of the audio that it gives, in hertz. */
  readonly rate: number;
  /**
   * Says one sentence. Contract: never rejects; after `stop` it ends soon and tells nothing more.
   * @param onAudio Told whole samples, in order.
   */
  speak(text: string, stop: StopSignal, onAudio: (pcm: Uint8Array) => void): Promise<SpeechOutcome>;
}
