import type { VoiceModel } from "../../../agent/voice/voice-model.ts";
import { SPEECH_RATE, TRANSCRIPTION_RATE } from "../rates.ts";
import { providerFailure } from "../realtime/provider-failure.ts";
import type { RealtimeOptions } from "../realtime/realtime-options.ts";

const RATES = { input: TRANSCRIPTION_RATE, output: SPEECH_RATE } as const;

export function createGeminiVoice({ model, truncation }: RealtimeOptions<"gemini">): VoiceModel {
  return {
    name: model.name,
    mode: "realtime",
    rates: RATES,
    truncation: truncation ?? "server",
    open: () => Promise.resolve({ ok: false, ...providerFailure("setup") }),
  };
}
