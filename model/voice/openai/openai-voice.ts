import type { VoiceModel } from "../../../agent/voice/voice-model.ts";
import { SPEECH_RATE } from "../rates.ts";
import { providerFailure } from "../realtime/provider-failure.ts";
import type { RealtimeOptions } from "../realtime/realtime-options.ts";

const RATES = { input: SPEECH_RATE, output: SPEECH_RATE } as const;

export function createOpenAiVoice({
  model,
  truncation,
}: RealtimeOptions<"openai"> | RealtimeOptions<"xai">): VoiceModel {
  return {
    name: model.name,
    mode: "realtime",
    rates: RATES,
    truncation: truncation ?? (model.provider === "xai" ? "none" : "explicit"),
    open: () => Promise.resolve({ ok: false, ...providerFailure("setup") }),
  };
}
