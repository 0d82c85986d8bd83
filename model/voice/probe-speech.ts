// Asks the models of a voice for one short thing each, to find out whether they answer. Used by the check of an agent.
import { describeFailure } from "../../agent/explain-failure.ts";
import type { StopSignal } from "../../agent/ports.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import type {
  SpeechEndpoint,
  SpeechModel,
  TranscriptionModel,
  VoiceSettings,
} from "../../protocol/voice/contract.ts";
import { SAMPLE_BYTES } from "../../protocol/voice/limits.ts";
import type { SpeechFailure } from "./cascade/ports.ts";
import {
  createRemoteVoice,
  createSpeech,
  createTranscription,
  type VoiceModelContext,
} from "./create-voice-model.ts";

type ProbeContext = Pick<VoiceModelContext, "outgoing" | "secrets">;

/** Seconds of silence that a model of transcription is sent: some refuse less. */
const SILENCE_SECONDS = 1;

/**
 * Why a model of the voice does not answer; null when it does. Words are not compared: silence has none. Contract: never
 * rejects; after `stop` it ends soon, with null.
 */
export function probeSpeech(
  voice: VoiceSettings,
  endpoint: SpeechEndpoint,
  context: ProbeContext,
  stop: StopSignal,
): Promise<SpeechFailure | null> {
  switch (endpoint.place) {
    case "model":
      return probeRealtime(voice, endpoint, context, stop);
    case "transcription":
      return probeTranscription(
        voice.mode === "cascade" ? voice.transcription : null,
        context,
        stop,
      );
    case "speech":
      return probeVoice(voice.speech, voice.voice, context, stop);
    default:
      return endpoint.place satisfies never;
  }
}

/** A connection that is opened, with the voice and its settings, is enough. */
async function probeRealtime(
  voice: VoiceSettings,
  { address }: SpeechEndpoint,
  context: ProbeContext,
  stop: StopSignal,
): Promise<SpeechFailure | null> {
  if (voice.mode !== "realtime" || voice.model.provider === "scripted") return null;
  const model = createRemoteVoice(voice.model, voice, context);
  const setup = {
    instructions: "",
    history: [],
    tools: [],
    voice: voice.voice,
    turns: null,
    rates: model.rates,
  };
  const opened = await model.open(setup, () => undefined, stop);
  if (opened.ok) opened.connection.close();
  if (opened.ok || stop.aborted) return null;
  const { error, report } = opened;
  if (!report) return { code: error.type, message: error.message };
  const { kind, http_status = null, code = null, message = "" } = report;
  const name = `The voice endpoint ${hostOf(address)}`;
  const happened = describeFailure(
    { kind, http_status, code },
    { name, isModel: true, credential_id: null },
  );
  const words = message === "" ? `${happened}.` : `${happened}: ${message}`;
  return { code: "voice_failed", message: words };
}

async function probeTranscription(
  model: TranscriptionModel | null,
  context: ProbeContext,
  stop: StopSignal,
): Promise<SpeechFailure | null> {
  if (!model) return null;
  const made = createTranscription(model, context);
  if (!made.ok) return { code: made.error.type, message: made.error.message };
  const silence = new Uint8Array(made.port.rate * SAMPLE_BYTES * SILENCE_SECONDS);
  const transcript = await made.port.transcribe(silence, stop, () => undefined);
  return transcript.ok ? null : transcript.failure;
}

/** Its first samples are enough. */
async function probeVoice(
  speech: SpeechModel | undefined,
  voice: string,
  context: ProbeContext,
  stop: StopSignal,
): Promise<SpeechFailure | null> {
  if (!speech) return null;
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
