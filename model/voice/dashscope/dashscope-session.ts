// The settings of a session at Qwen-Omni's realtime server. They are sent whole: what is left out may fall back.
import type { VoiceSetup } from "../../../agent/voice/voice-model.ts";
import type { RealtimeOptions } from "../realtime/realtime-options.ts";
import { LEAST_SILENCE_MS } from "./limits.ts";

export type DashScopeParameters = RealtimeOptions<"dashscope">["model"]["parameters"];

export function sessionUpdate(
  { tools, turns, voice }: Pick<VoiceSetup, "tools" | "turns" | "voice">,
  parameters: DashScopeParameters,
  instructions: string,
): object {
  const { transcription, ...others } = parameters;
  return {
    type: "session.update",
    session: {
      modalities: ["text", "audio"],
      ...(voice !== "default" && { voice }),
      instructions,
      input_audio_format: "pcm",
      output_audio_format: "pcm",
      ...(transcription !== undefined && { input_audio_transcription: transcription }),
      turn_detection: turns && {
        type: "server_vad",
        threshold: turns.threshold,
        silence_duration_ms: Math.max(LEAST_SILENCE_MS, turns.silence_duration_ms),
      },
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, input_schema: parameters }) => ({
          type: "function",
          function: { name, description, parameters },
        })),
      }),
      ...others,
    },
  };
}
