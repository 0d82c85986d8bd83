// Rates of the audio of models, in hertz.
import type { AudioRates } from "../../agent/voice/voice-model.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";

/** Of what is written down: what models of speech are trained on, and a third of what browsers record. */
export const TRANSCRIPTION_RATE = 16_000;
/** Of what is said: `pcm` of OpenAI's API, by its documents. */
export const SPEECH_RATE = 24_000;

/** The error of a connection at other rates than the model's: its owner resamples. Null for the model's own. */
export function findRateRefusal(own: AudioRates, asked: AudioRates): ErrorInfo | null {
  if (own.input === asked.input && own.output === asked.output) return null;
  return {
    type: "setup",
    message: `The voice hears ${own.input} Hz and speaks ${own.output} Hz, not ${asked.input} and ${asked.output} Hz.`,
  };
}
