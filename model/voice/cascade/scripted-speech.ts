// Transcription and speech without a key or a network: tones (tones.ts) for a text, and the text of tones.
import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import { SPEECH_RATE, TRANSCRIPTION_RATE } from "../rates.ts";
import { describeSpeech } from "../scripted/describe-speech.ts";
import { textToPcm } from "../tones.ts";
import type { SpeechPort, TranscriptionPort } from "./ports.ts";

/** Milliseconds of audio in one piece. */
const PIECE_MS = 100;

export function createScriptedTranscription(): TranscriptionPort {
  return {
    rate: TRANSCRIPTION_RATE,
    transcribe: (pcm, _stop, onDelta) => {
      const text = describeSpeech(pcm, TRANSCRIPTION_RATE);
      onDelta(text);
      return Promise.resolve({ ok: true, text, usage: null });
    },
  };
}

export function createScriptedSpeech(): SpeechPort {
  return {
    rate: SPEECH_RATE,
    speak: (text, _stop, onAudio) => {
      const pcm = textToPcm(text, SPEECH_RATE);
      const pieceBytes = (SPEECH_RATE * SAMPLE_BYTES * PIECE_MS) / 1_000;
      for (let at = 0; at < pcm.byteLength; at += pieceBytes) {
        onAudio(pcm.subarray(at, at + pieceBytes));
      }
      return Promise.resolve(null);
    },
  };
}
