// Asks the models of a cascade for one short thing each, to find out whether they answer. Used by the check of an agent.
import type { StopSignal } from "../../agent/ports.ts";
import type { VoiceSettings } from "../../protocol/voice/contract.ts";
import { SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import type { SpeechFailure } from "./cascade/ports.ts";
import { createSpeech, createTranscription, type VoiceModelContext } from "./create-voice-model.ts";

type Cascade = Extract<VoiceSettings, { mode: "cascade" }>;
type ProbeContext = Pick<VoiceModelContext, "outgoing" | "secrets">;

/** Seconds of silence that a model of transcription is sent: some refuse less. */
const SILENCE_SECONDS = 1;

/**
 * Why a model of the cascade does not answer; null when it does. Words are not compared: silence has none. Contract: never
 * rejects; after `stop` it ends soon, with null.
 */
export async function probeSpeech(
  voice: Cascade,
  place: "transcription" | "speech",
  context: ProbeContext,
  stop: StopSignal,
): Promise<SpeechFailure | null> {
  if (place === "speech") return probeVoice(voice, context, stop);
  const made = createTranscription(voice.transcription, context);
  if (!made.ok) return { code: made.error.type, message: made.error.message };
  const silence = new Uint8Array(made.port.rate * SAMPLE_BYTES * SILENCE_SECONDS);
  const transcript = await made.port.transcribe(silence, stop, () => undefined);
  return transcript.ok ? null : transcript.failure;
}

/** Its first samples are enough. */
async function probeVoice(
  { speech, voice }: Cascade,
  context: ProbeContext,
  stop: StopSignal,
): Promise<SpeechFailure | null> {
  const made = createSpeech(speech, voice, context);
  if (!made.ok) return { code: made.error.type, message: made.error.message };
  const enough = new AbortController();
  const abort = () => enough.abort();
  stop.addEventListener("abort", abort, { once: true });
  try {
    return await made.port.speak("OK", enough.signal, abort);
  } finally {
    stop.removeEventListener("abort", abort);
  }
}
