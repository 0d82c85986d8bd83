// The Realtime API of OpenAI, and of those who speak it: a socket for a conversation, which is restored on the next one.
import type { VoiceModel } from "../../../agent/voice/voice-model.ts";
import { realtimeBaseUrlOf } from "../../../protocol/voice/realtime-models.ts";
import { findRateRefusal, SPEECH_RATE } from "../rates.ts";
import { openProviderSocket } from "../realtime/provider-socket.ts";
import type { RealtimeOptions } from "../realtime/realtime-options.ts";
import { OpenAiConnection } from "./openai-connection.ts";
import { OPENAI_NAMES, XAI_NAMES } from "./realtime-names.ts";

const RATES = { input: SPEECH_RATE, output: SPEECH_RATE } as const;

export function createOpenAiVoice(
  options: RealtimeOptions<"openai"> | RealtimeOptions<"xai">,
): VoiceModel {
  const { model, truncation, outgoing, secrets, limits } = options;
  const isXai = model.provider === "xai";
  return {
    name: model.name,
    mode: "realtime",
    rates: RATES,
    truncation: truncation ?? (isXai ? "none" : "explicit"),
    open: async (setup, onEvent, stop) => {
      const error = findRateRefusal(RATES, setup.rates);
      if (error) return { ok: false, error };
      const connection = new OpenAiConnection({
        name: model.name,
        names: isXai ? XAI_NAMES : OPENAI_NAMES,
        parameters: model.parameters,
        setup,
        limits,
        onEvent,
      });
      const opened = await openProviderSocket({
        outgoing,
        secrets,
        credentialId: model.credential_id,
        url: `${realtimeBaseUrlOf(model).replace(/\/+$/, "")}/realtime?model=${encodeURIComponent(model.name)}`,
        place: (secret) => ({ headers: { authorization: `Bearer ${secret}` } }),
        ...(limits && { limits }),
        stop,
        onFrame: (frame) => connection.take(frame),
        onEnd: (failure) => connection.end(failure),
      });
      if (!opened.ok) return opened;
      const failure = await connection.begin(opened.socket, stop);
      return failure ? { ok: false, ...failure } : { ok: true, connection };
    },
  };
}
