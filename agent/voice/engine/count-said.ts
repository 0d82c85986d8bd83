// The amount that the agent has said: the audio that was made for a model call, heard or not.
import { SAMPLE_BYTES } from "../../../protocol/voice/limits.ts";
import type { Usage } from "../../../protocol/messages/messages.ts";
import { change, type Draft } from "./draft.ts";
import type { SpokenCall } from "./voice-state.ts";

/** The call with so much audio more; one that was cut off keeps what it had until then. */
export function withAudio(call: SpokenCall, bytes: number): SpokenCall {
  return call.cut ? call : { ...call, said: { ...call.said, bytes: call.said.bytes + bytes } };
}

export function withAudioTokens(call: SpokenCall, usage: Usage | null): SpokenCall {
  const { input_tokens = 0, output_tokens = 0 } = usage?.audio ?? {};
  const { said } = call;
  return {
    ...call,
    said: {
      ...said,
      input_tokens: said.input_tokens + input_tokens,
      output_tokens: said.output_tokens + output_tokens,
    },
  };
}

/** Told when nothing more comes of a response: each event is a row. */
export function tellSaid(draft: Draft): void {
  const { settings, spoken, calls } = draft.state;
  const isDue = ({ reply_id, is_done, cut, said }: SpokenCall): boolean =>
    reply_id !== null &&
    spoken.includes(reply_id) &&
    (is_done || cut !== null) &&
    said.bytes + said.input_tokens + said.output_tokens > 0;
  if (!calls.some(isDue)) return;
  for (const call of calls) {
    if (!isDue(call) || call.reply_id === null) continue;
    const { bytes, input_tokens, output_tokens } = call.said;
    const seconds = bytes / (SAMPLE_BYTES * settings.rates.output);
    const audio = {
      output_ms: Math.round(seconds * 1_000),
      ...(input_tokens > 0 && { input_tokens }),
      ...(output_tokens > 0 && { output_tokens }),
    };
    draft.effects.push({ type: "said", message_id: call.reply_id, audio });
  }
  change(draft, { calls: calls.map((call) => (isDue(call) ? { ...call, said: NOTHING } : call)) });
}

export const NOTHING: SpokenCall["said"] = { bytes: 0, input_tokens: 0, output_tokens: 0 };
