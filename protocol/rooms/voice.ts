// The voice of a room: how it hears its people. Agents speak by voices of their own.
import * as z from "zod";

import { type SpeechEndpoint, TranscriptionModelSchema, TurnsSchema } from "../voice/contract.ts";
import {
  DEFAULT_VOICE_IDLE_SECONDS,
  DEFAULT_VOICE_SECONDS,
  MAX_VOICE_IDLE_SECONDS,
  MAX_VOICE_SECONDS,
} from "../voice/limits.ts";
import { OPENAI_BASE_URL } from "../models/contract.ts";
import { ParticipantNameSchema } from "./participants.ts";

/** The member `voice` of a room. @public */
export const RoomVoiceSchema = z
  .strictObject({
    transcription: TranscriptionModelSchema,
    turns: TurnsSchema.prefault({ type: "server_vad" }),
    /** Of one person's connection. */
    max_seconds: z.number().int().min(1).max(MAX_VOICE_SECONDS).default(DEFAULT_VOICE_SECONDS),
    /** Without speech, after which the connections to the agents are let go. */
    idle_seconds: z
      .number()
      .int()
      .min(1)
      .max(MAX_VOICE_IDLE_SECONDS)
      .default(DEFAULT_VOICE_IDLE_SECONDS),
  })
  .meta({ id: "RoomVoice", description: "How a room hears its people." });
export type RoomVoice = z.infer<typeof RoomVoiceSchema>;

/** The endpoint of the room's own model; null for the embedded one, which needs no network. */
export function roomSpeechEndpoint({ transcription }: RoomVoice): SpeechEndpoint | null {
  if (transcription.provider === "scripted") return null;
  const { name, provider, credential_id, base_url: address = OPENAI_BASE_URL } = transcription;
  return { place: "transcription", name, provider, credential_id, address };
}

export const RoomVoiceQuerySchema = z.strictObject({
  participant: ParticipantNameSchema.optional(),
});
