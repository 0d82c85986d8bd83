// The adapter for an agent's voice.
import { credentialError, modelError } from "../../agent/state/model-error.ts";
import type { VoiceModel } from "../../agent/voice/voice-model.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import { OPENAI_BASE_URL } from "../../protocol/models/contract.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import type {
  SpeechModel,
  TranscriptionModel,
  VoiceSettings,
} from "../../protocol/voice/contract.ts";
import type { RemoteRealtimeModel } from "../../protocol/voice/realtime-models.ts";
import type { MediaPort } from "../media-port.ts";
import { isSendable } from "../stream/is-sendable.ts";
import type { DecideTurn } from "../scripted/scripted-turn.ts";
import type { AudioEndpoint } from "./cascade/audio-request.ts";
import { createCascade } from "./cascade/cascade.ts";
import { createOpenAiSpeech } from "./cascade/openai-speech.ts";
import { createOpenAiTranscription } from "./cascade/openai-transcription.ts";
import type { SpeechPort, TranscriptionPort } from "./cascade/ports.ts";
import { createScriptedSpeech, createScriptedTranscription } from "./cascade/scripted-speech.ts";
import { createDashScopeVoice } from "./dashscope/dashscope-voice.ts";
import { createGeminiVoice } from "./gemini/gemini-voice.ts";
import type { SessionHandles } from "./gemini/session-handles.ts";
import { createOpenAiVoice } from "./openai/openai-voice.ts";
import { SPEECH_RATE, TRANSCRIPTION_RATE } from "./rates.ts";
import { createScriptedVoice } from "./scripted/scripted-voice.ts";
import { withKnownWords } from "./with-known-words.ts";
import { withPictures } from "./with-pictures.ts";

/** Of the context of models. */
export interface VoiceModelContext {
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
  readonly decideTurn: DecideTurn;
  /** Files that a realtime provider is shown; it is shown none when left out. */
  readonly media?: MediaPort;
  /** Of the voice whose connections follow each other. */
  readonly handles?: SessionHandles;
}

/**
 * A voice whose credential is gone, is not for its host, or cannot be sent, opens no connection: the error names the
 * credential.
 */
export function createVoiceModel(settings: VoiceSettings, context: VoiceModelContext): VoiceModel {
  if (settings.mode === "realtime") return createRealtime(settings, context);
  const transcription = createTranscription(settings.transcription, context);
  if (!transcription.ok) return createBroken(transcription.error);
  const speech = createSpeech(settings.speech, settings.voice, context);
  if (!speech.ok) return createBroken(speech.error);
  return createCascade({ transcription: transcription.port, speech: speech.port });
}

function createRealtime(
  settings: RealtimeSettings,
  { decideTurn, media, ...context }: VoiceModelContext,
): VoiceModel {
  const { model, truncation } = settings;
  if (model.provider !== "scripted") {
    const voice = withKnownWords(createRemoteVoice(model, settings, context));
    return media ? withPictures(voice, media) : voice;
  }
  return createScriptedVoice({
    name: model.name,
    tokensPerSecond: model.parameters.tokens_per_second,
    truncation: truncation ?? "explicit",
    decideTurn,
  });
}

/** The voice of a realtime provider. */
export function createRemoteVoice(
  model: RemoteRealtimeModel,
  { truncation, speech, voice }: Pick<RealtimeSettings, "truncation" | "speech" | "voice">,
  { outgoing, secrets, handles }: SpeechContext & Pick<VoiceModelContext, "handles">,
): VoiceModel {
  const shared = { truncation, outgoing, secrets };
  switch (model.provider) {
    case "openai":
      return createOpenAiVoice({ model, ...shared });
    case "xai":
      return createOpenAiVoice({ model, ...shared });
    case "dashscope":
      return createDashScopeVoice({
        model,
        ...shared,
        speech: speech ? createTextSpeech(speech, voice, shared) : null,
      });
    case "gemini":
      return createGeminiVoice({ model, handles, ...shared });
    default:
      return model satisfies never;
  }
}

/** Says the answers to typed text. */
function createTextSpeech(model: SpeechModel, voice: string, context: SpeechContext): SpeechPort {
  const made = createSpeech(model, voice, context);
  if (made.ok) return made.port;
  const { type: code, message } = made.error;
  return { rate: SPEECH_RATE, speak: () => Promise.resolve({ code, message }) };
}

type RealtimeSettings = Extract<VoiceSettings, { mode: "realtime" }>;
type SpeechContext = Pick<VoiceModelContext, "outgoing" | "secrets">;

type Made<Port> =
  | { readonly ok: true; readonly port: Port }
  | { readonly ok: false; readonly error: ErrorInfo };

export function createTranscription(
  model: TranscriptionModel,
  context: SpeechContext,
): Made<TranscriptionPort> {
  if (model.provider === "scripted") return { ok: true, port: createScriptedTranscription() };
  const endpoint = openEndpoint(model, context);
  if (!endpoint.ok) return endpoint;
  return { ok: true, port: createOpenAiTranscription(model, endpoint.port) };
}

export function createSpeech(
  model: SpeechModel,
  voice: string,
  context: SpeechContext,
): Made<SpeechPort> {
  if (model.provider === "scripted") return { ok: true, port: createScriptedSpeech() };
  const endpoint = openEndpoint(model, context);
  if (!endpoint.ok) return endpoint;
  return { ok: true, port: createOpenAiSpeech(model, voice, endpoint.port) };
}

function openEndpoint(
  model: Pick<Extract<SpeechModel, { provider: "openai" }>, "base_url" | "credential_id">,
  { outgoing, secrets }: SpeechContext,
): Made<Omit<AudioEndpoint, "part">> {
  const { base_url, credential_id } = model;
  if (credential_id === undefined) return { ok: true, port: { outgoing, base_url } };
  const granted = secrets(credential_id, base_url ?? OPENAI_BASE_URL);
  if (!granted.ok) {
    const { type, problem } = granted;
    return { ok: false, error: credentialError(type, credential_id, problem) };
  }
  const apiKey = granted.secret;
  if (!isSendable(apiKey)) return { ok: false, error: modelError("setup") };
  return { ok: true, port: { outgoing, base_url, apiKey } };
}

function createBroken(error: ErrorInfo): VoiceModel {
  return {
    name: "cascade",
    mode: "cascade",
    rates: { input: TRANSCRIPTION_RATE, output: SPEECH_RATE },
    truncation: "explicit",
    open: () => Promise.resolve({ ok: false, error }),
  };
}
