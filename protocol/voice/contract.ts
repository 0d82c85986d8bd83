// The voice of an agent: by which models it hears and speaks, and how the end of a user's turn is found.
import * as z from "zod";

import { CredentialIdSchema, OPENAI_BASE_URL } from "../models/contract.ts";
import {
  DEFAULT_PREFIX_PADDING_MS,
  DEFAULT_SILENCE_MS,
  DEFAULT_TURN_THRESHOLD,
  DEFAULT_VOICE_IDLE_SECONDS,
  DEFAULT_VOICE_SECONDS,
  MAX_PREFIX_PADDING_MS,
  MAX_SILENCE_MS,
  MAX_SPEECH_INSTRUCTION_CHARACTERS,
  MAX_VOICE_CONNECTIONS,
  MAX_VOICE_IDLE_SECONDS,
  MAX_VOICE_NAME_CHARACTERS,
  MAX_VOICE_SECONDS,
  MIN_SILENCE_MS,
} from "./limits.ts";
import { RealtimeModelSchema, realtimeBaseUrlOf } from "./realtime-models.ts";

const baseUrl = z.url({ protocol: /^https?$/ }).optional();
const modelName = z.string().min(1).max(MAX_VOICE_NAME_CHARACTERS);

/** Transcription and speech without a key and without a network. @public */
export const ScriptedSpeechSchema = z
  .strictObject({ provider: z.literal("scripted") })
  .meta({ id: "ScriptedSpeech", description: "Embedded and deterministic: no key, no network." });

/** @public */
export const TranscriptionModelSchema = z
  .discriminatedUnion("provider", [
    ScriptedSpeechSchema,
    z
      .strictObject({
        provider: z.literal("openai"),
        name: modelName,
        base_url: baseUrl,
        /** A credential of type `model`: sent as `Authorization: Bearer <secret>`. */
        credential_id: CredentialIdSchema,
        parameters: z
          .strictObject({
            language: z.string().min(1).max(MAX_VOICE_NAME_CHARACTERS).optional(),
            prompt: z.string().max(MAX_SPEECH_INSTRUCTION_CHARACTERS).optional(),
          })
          .prefault({}),
      })
      .meta({
        id: "OpenAiTranscription",
        description: "Any OpenAI-compatible endpoint with `/audio/transcriptions`.",
      }),
  ])
  .meta({ id: "TranscriptionModel" });
export type TranscriptionModel = z.infer<typeof TranscriptionModelSchema>;

/** @public */
export const SpeechModelSchema = z
  .discriminatedUnion("provider", [
    ScriptedSpeechSchema,
    z
      .strictObject({
        provider: z.literal("openai"),
        name: modelName,
        base_url: baseUrl,
        /** A credential of type `model`: sent as `Authorization: Bearer <secret>`. */
        credential_id: CredentialIdSchema,
        parameters: z
          .strictObject({
            instructions: z.string().max(MAX_SPEECH_INSTRUCTION_CHARACTERS).optional(),
            speed: z.number().min(0.25).max(4).optional(),
            voice: modelName.optional(),
          })
          .prefault({}),
      })
      .meta({
        id: "OpenAiSpeech",
        description: "Any OpenAI-compatible endpoint with `/audio/speech`.",
      }),
  ])
  .meta({ id: "SpeechModel" });
export type SpeechModel = z.infer<typeof SpeechModelSchema>;

/** @public */
export const ServerTurnsSchema = z
  .strictObject({
    type: z.literal("server_vad"),
    threshold: z.number().min(0).max(1).default(DEFAULT_TURN_THRESHOLD),
    prefix_padding_ms: z
      .number()
      .int()
      .min(0)
      .max(MAX_PREFIX_PADDING_MS)
      .default(DEFAULT_PREFIX_PADDING_MS),
    silence_duration_ms: z
      .number()
      .int()
      .min(MIN_SILENCE_MS)
      .max(MAX_SILENCE_MS)
      .default(DEFAULT_SILENCE_MS),
  })
  .meta({ id: "ServerTurns", description: "Silence ends the user's turn." });
/** Settings of the detection of turns. */
export type TurnSettings = z.infer<typeof ServerTurnsSchema>;

export const TurnsSchema = z
  .discriminatedUnion("type", [
    ServerTurnsSchema,
    z
      .strictObject({ type: z.literal("manual") })
      .meta({ id: "ManualTurns", description: "The client ends the user's turn." }),
  ])
  .meta({ id: "Turns" });

const shared = {
  voice: z
    .string()
    .min(1)
    .max(MAX_VOICE_NAME_CHARACTERS)
    .default("default")
    .describe("The voice's name at the provider; `default` for the provider's own choice."),
  turns: TurnsSchema.prefault({ type: "server_vad" }).describe(
    "What ends the user's turn; silence when left out.",
  ),
  keep_audio: z
    .boolean()
    .default(false)
    .describe(
      "Whether what is said becomes files of the session: WAV, two minutes of one turn or model call at most. False when left out.",
    ),
  connections: z
    .number()
    .int()
    .min(1)
    .max(MAX_VOICE_CONNECTIONS)
    .optional()
    .describe(
      "Voice connections that a session may have at a time: all hear, and one speaks. 1 when left out; a newer one takes the place of the oldest.",
    ),
  max_seconds: z
    .number()
    .int()
    .min(1)
    .max(MAX_VOICE_SECONDS)
    .default(DEFAULT_VOICE_SECONDS)
    .describe("Seconds after which a voice connection is closed; 3,600 when left out."),
  idle_seconds: z
    .number()
    .int()
    .min(1)
    .max(MAX_VOICE_IDLE_SECONDS)
    .default(DEFAULT_VOICE_IDLE_SECONDS)
    .describe(
      "Seconds without speech after which the connection to the provider is let go; the next audio opens it again. 30 when left out.",
    ),
};

/** The member `voice` of an agent. */
export const VoiceSettingsSchema = z
  .discriminatedUnion("mode", [
    z
      .strictObject({
        mode: z
          .literal("cascade")
          .describe(
            "`cascade`: speech becomes text, the agent's own model answers, and its text becomes speech.",
          ),
        transcription: TranscriptionModelSchema,
        speech: SpeechModelSchema,
        ...shared,
      })
      .meta({
        id: "CascadeVoice",
        description: "Speech to text, the agent's own model, text to speech.",
      }),
    z
      .strictObject({
        mode: z
          .literal("realtime")
          .describe("`realtime`: one model hears and speaks, in place of the agent's own."),
        model: RealtimeModelSchema,
        speech: SpeechModelSchema.optional().describe(
          "The model that says the answer to typed text where the realtime model takes none; the agent's own model writes it.",
        ),
        ...shared,
        truncation: z
          .enum(["explicit", "server", "none"])
          .optional()
          .describe(
            "How what was not heard leaves the provider's conversation: we take it out (`explicit`), the provider does (`server`), or it stays (`none`). As the provider has it when left out.",
          ),
      })
      .meta({ id: "RealtimeVoice", description: "One model hears and speaks." }),
  ])
  .meta({ id: "Voice", description: "How the agent hears and speaks." });
export type VoiceSettings = z.infer<typeof VoiceSettingsSchema>;

/** A model of the settings that requests are sent to. */
export interface SpeechEndpoint {
  /** The member that names it. */
  readonly place: "model" | "transcription" | "speech";
  readonly name: string;
  readonly provider: string;
  readonly credential_id: string | undefined;
  /** Its own `base_url`, or its provider's: that of requests, so `https` also where it is a socket's. */
  readonly address: string;
}

/** Models of the settings, in their order; without the embedded ones, which need no network. */
export function speechEndpointsOf(voice: VoiceSettings): readonly SpeechEndpoint[] {
  if (voice.mode === "realtime") {
    return [...realtimeEndpoint(voice.model), ...endpointAt("speech", voice.speech)];
  }
  const { transcription, speech } = voice;
  return [...endpointAt("transcription", transcription), ...endpointAt("speech", speech)];
}

function realtimeEndpoint(
  model: Extract<VoiceSettings, { mode: "realtime" }>["model"],
): readonly SpeechEndpoint[] {
  if (model.provider === "scripted") return [];
  const { name, provider, credential_id } = model;
  return [{ place: "model", name, provider, credential_id, address: realtimeBaseUrlOf(model) }];
}

function endpointAt(
  place: "transcription" | "speech",
  model: TranscriptionModel | SpeechModel | undefined,
): readonly SpeechEndpoint[] {
  if (!model || model.provider === "scripted") return [];
  const { name, provider, credential_id, base_url: address = OPENAI_BASE_URL } = model;
  return [{ place, name, provider, credential_id, address }];
}
