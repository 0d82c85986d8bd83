// The first frame of a connection to Gemini Live, which nothing changes later, and the address.
import type { ToolDeclaration } from "../../../agent/ports.ts";
import type { VoiceSetup } from "../../../agent/voice/voice-model.ts";
import { realtimeBaseUrlOf } from "../../../protocol/voice/realtime-models.ts";
import type { RealtimeOptions } from "../realtime/realtime-options.ts";

export type GeminiModel = RealtimeOptions<"gemini">["model"];

const PATH = "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent";
/** The agent's word for the provider's own choice. */
const OWN_VOICE = "default";

/** Without the key, which is a parameter of it. */
export function addressOf(model: GeminiModel): string {
  return `${realtimeBaseUrlOf(model).replace(/\/+$/, "")}${PATH}`;
}

export interface SetupOptions {
  /** Of the session that goes on. */
  readonly handle?: string;
  /** The conversation so far comes before anything else. */
  readonly hasHistory: boolean;
}

/** We find the user's turns, by the agent's settings: of its own detection the server does not tell when a turn began. */
export function setupFrame(
  model: GeminiModel,
  { instructions, tools, voice }: Pick<VoiceSetup, "instructions" | "tools" | "voice">,
  { handle, hasHistory }: SetupOptions,
): object {
  const { language, temperature, top_p, top_k, max_output_tokens } = model.parameters;
  const speech = {
    ...(voice !== OWN_VOICE && { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } }),
    ...(language !== undefined && { languageCode: language }),
  };
  const transcription = language === undefined ? {} : { languageCodes: [language] };
  const setup = {
    model: model.name.includes("/") ? model.name : `models/${model.name}`,
    generationConfig: {
      responseModalities: ["AUDIO"],
      ...(Object.keys(speech).length > 0 && { speechConfig: speech }),
      ...(temperature !== undefined && { temperature }),
      ...(top_p !== undefined && { topP: top_p }),
      ...(top_k !== undefined && { topK: top_k }),
      ...(max_output_tokens !== undefined && { maxOutputTokens: max_output_tokens }),
    },
    ...(instructions !== "" && { systemInstruction: { parts: [{ text: instructions }] } }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(toFunction) }] }),
    realtimeInputConfig: {
      automaticActivityDetection: { disabled: true },
      activityHandling: "START_OF_ACTIVITY_INTERRUPTS",
      turnCoverage: "TURN_INCLUDES_ONLY_ACTIVITY",
    },
    sessionResumption: { ...(handle !== undefined && { handle }) },
    // Without it a session of audio ends after 15 minutes.
    contextWindowCompression: { slidingWindow: {} },
    inputAudioTranscription: transcription,
    outputAudioTranscription: transcription,
    ...(hasHistory && { historyConfig: { initialHistoryInClientContent: true } }),
  };
  return { setup };
}

function toFunction({ name, description, input_schema }: ToolDeclaration): object {
  return { name, description, parametersJsonSchema: input_schema };
}
