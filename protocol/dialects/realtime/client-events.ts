// The 9 events of a client of AgentScope's realtime agents. Members that are not known are dropped, as the reference drops
// them.
import * as z from "zod";

import { accept, refuse, type Result } from "../../errors.ts";
import {
  MAX_AUDIO_FRAME_CHARACTERS,
  MAX_FRAME_TEXT_CHARACTERS,
  MAX_VOICE_TEXT_FRAME_BYTES,
} from "../../voice/limits.ts";
import { MAX_CONNECTION_INSTRUCTIONS } from "./limits.ts";
import { AUDIO_EVENTS, type AudioEventType } from "./server-events.ts";

const session = { session_id: z.string() };
/** Read by {@link readAudioFormat}, which has errors of its own. */
const format = z.looseObject({});

const ConfigSchema = z.object({
  instructions: z.string().max(MAX_CONNECTION_INSTRUCTIONS).nullish(),
  model_provider: z.string().max(200).nullish(),
  audio_event: z.enum(AUDIO_EVENTS).optional(),
});
export type RealtimeConfig = z.infer<typeof ConfigSchema>;

const events = [
  z.object({
    type: z.literal("client_session_create"),
    session_id: z.string().optional(),
    config: ConfigSchema,
  }),
  z.object({ type: z.literal("client_session_end"), ...session }),
  z.object({ type: z.literal("client_response_create"), ...session }),
  z.object({ type: z.literal("client_response_cancel"), ...session }),
  z.object({ type: z.literal("client_audio_commit"), ...session }),
  z.object({
    type: z.literal("client_text_append"),
    ...session,
    text: z.string().min(1).max(MAX_FRAME_TEXT_CHARACTERS),
  }),
  z.object({
    type: z.literal("client_audio_append"),
    ...session,
    audio: z.string().max(MAX_AUDIO_FRAME_CHARACTERS),
    format,
  }),
  z.object({
    type: z.literal("client_image_append"),
    ...session,
    // Read where it is stored: an expression on megabytes costs more than that.
    image: z.string().min(1).max(MAX_VOICE_TEXT_FRAME_BYTES),
    format: format.nullish(),
  }),
  z.object({
    type: z.literal("client_tool_result"),
    ...session,
    id: z.string().min(1).max(200),
    name: z.string().max(200),
    // Read as an answer of `POST …/events` is.
    output: z.union([z.string(), z.array(z.unknown())]),
  }),
] as const;

const TYPES = events.map(({ shape }) => shape.type.value);

export const RealtimeClientEventSchema = z.discriminatedUnion("type", events, {
  error: ({ code, input }) => (code === "invalid_union" ? unknownType(input) : undefined),
});
export type RealtimeClientEvent = z.infer<typeof RealtimeClientEventSchema>;

const MAX_SHOWN_CHARACTERS = 60;

function unknownType(input: unknown): string {
  const type = typeof input === "object" && input !== null && "type" in input ? input.type : null;
  const shown = typeof type === "string" ? `"${type.slice(0, MAX_SHOWN_CHARACTERS)}"` : "it";
  return `${shown} is no event of a client; those are ${TYPES.join(", ")}`;
}

interface ReadFormat {
  readonly rate: number;
  /** The event that a client which writes its format so listens for. */
  readonly audio_event: AudioEventType;
}

/** The rate of the user's audio, in the form of the reference or of the document's page. */
export function readAudioFormat(written: Readonly<Record<string, unknown>>): Result<ReadFormat> {
  const { type, rate, encoding, sample_rate } = written;
  if (type !== undefined || rate !== undefined) {
    if (type !== "audio/pcm" || !isRate(rate)) return refuse("audio_format_unsupported", FORMS);
    return accept({ rate, audio_event: "agent_response_audio_delta" });
  }
  if (encoding !== "pcm16" || !isRate(sample_rate)) {
    return refuse("audio_format_unsupported", FORMS);
  }
  return accept({ rate: sample_rate, audio_event: "response_audio_delta" });
}

const FORMS =
  'the format of audio is {"type": "audio/pcm", "rate": 16000} or {"encoding": "pcm16", "sample_rate": 16000}';

function isRate(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

/** The media type of a picture; that of the reference where none is named. */
export function readImageFormat(written: Readonly<Record<string, unknown>> | null): string {
  const { type, media_type, mime_type } = written ?? {};
  const named = [media_type, mime_type, type].find((value) => typeof value === "string");
  if (named === undefined) return "image/jpeg";
  return named.includes("/") ? named : `image/${named}`;
}
