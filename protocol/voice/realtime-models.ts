// Models that hear and speak, by provider.
import * as z from "zod";

import { CredentialIdSchema } from "../models/contract.ts";
import {
  MAX_REALTIME_OUTPUT_TOKENS,
  MAX_SPEECH_INSTRUCTION_CHARACTERS,
  MAX_VOICE_NAME_CHARACTERS,
} from "./limits.ts";

const shortText = z.string().min(1).max(MAX_VOICE_NAME_CHARACTERS);
const temperature = z.number().min(0).max(2).optional();
const topP = z.number().min(0).max(1).optional();
const topK = z.number().int().min(0).max(1_000).optional();
const outputTokens = z.number().int().min(1).max(MAX_REALTIME_OUTPUT_TOKENS).optional();

const remote = {
  name: shortText,
  base_url: z.url({ protocol: /^(?:https?|wss?)$/ }).optional(),
  /** A credential of type `model`. */
  credential_id: CredentialIdSchema,
};

/** Of OpenAI's names: xAI has the same. */
const transcription = z
  .strictObject({
    model: shortText,
    language: shortText.optional(),
    prompt: z.string().max(MAX_SPEECH_INSTRUCTION_CHARACTERS).optional(),
  })
  .meta({
    id: "RealtimeTranscription",
    description: "The model that writes down what the user says, beside the one that hears it.",
  });

const openAiParameters = z
  .strictObject({
    transcription: transcription.nullable().optional(),
    speed: z.number().min(0.25).max(1.5).optional(),
    noise_reduction: z.enum(["near_field", "far_field"]).nullable().optional(),
    reasoning_effort: shortText.optional(),
    max_output_tokens: outputTokens,
  })
  .prefault({});

/** A model that hears and speaks. @public */
export const RealtimeModelSchema = z
  .discriminatedUnion("provider", [
    z
      .strictObject({
        provider: z.literal("scripted"),
        name: shortText.default("refund-desk"),
        parameters: z
          .strictObject({
            /** Pace of the words; 0 sends as fast as it can. */
            tokens_per_second: z.number().min(0).max(10_000).default(0),
          })
          .prefault({}),
      })
      .meta({
        id: "ScriptedRealtimeModel",
        description: "The embedded, deterministic voice: no key, no network.",
      }),
    z
      .strictObject({
        provider: z.literal("openai"),
        ...remote,
        parameters: openAiParameters,
      })
      .meta({
        id: "OpenAiRealtimeModel",
        description: "A model of OpenAI's Realtime API, or of an endpoint that speaks it.",
      }),
    z
      .strictObject({
        provider: z.literal("xai"),
        ...remote,
        parameters: openAiParameters,
      })
      .meta({ id: "XaiRealtimeModel", description: "A voice of xAI's Grok." }),
    z
      .strictObject({
        provider: z.literal("dashscope"),
        ...remote,
        parameters: z
          .strictObject({
            transcription: z
              .strictObject({ model: shortText })
              .meta({
                id: "DashScopeTranscription",
                description: "The model that writes down what the user says.",
              })
              .nullable()
              .optional(),
            temperature,
            top_p: topP,
            top_k: topK,
            max_tokens: outputTokens,
            seed: z.number().int().min(0).max(2_147_483_647).optional(),
            smooth_output: z.boolean().nullable().optional(),
          })
          .prefault({}),
      })
      .meta({
        id: "DashScopeRealtimeModel",
        description: "A Qwen-Omni model of Alibaba Cloud's Model Studio (DashScope).",
      }),
    z
      .strictObject({
        provider: z.literal("gemini"),
        ...remote,
        parameters: z
          .strictObject({
            language: shortText.optional(),
            temperature,
            top_p: topP,
            top_k: topK,
            max_output_tokens: outputTokens,
          })
          .prefault({}),
      })
      .meta({ id: "GeminiRealtimeModel", description: "A model of Google's Gemini Live API." }),
  ])
  .meta({ id: "RealtimeModel" });
type RealtimeModel = z.infer<typeof RealtimeModelSchema>;
/** A model that a socket is opened to. */
export type RemoteRealtimeModel = Exclude<RealtimeModel, { provider: "scripted" }>;

/** Addresses of the providers' sockets, without the path that an adapter adds. */
const REALTIME_BASE_URLS = {
  openai: "https://api.openai.com/v1",
  xai: "https://api.x.ai/v1",
  dashscope: "https://dashscope-intl.aliyuncs.com/api-ws/v1",
  gemini: "https://generativelanguage.googleapis.com",
} as const;

/** The address of a model's sockets, its own or its provider's, as that of the request that opens one: `https`. */
export function realtimeBaseUrlOf({ provider, base_url }: RemoteRealtimeModel): string {
  return (base_url ?? REALTIME_BASE_URLS[provider]).replace(/^ws/i, "http");
}
