// Tokens of a response, or of a transcript, with those that were audio.
import type { Usage } from "../../../protocol/messages/messages.ts";
import { asFields } from "../../stream/stream-event.ts";

/** Null where the provider has counted seconds, or nothing. */
export function usageOf(value: unknown): Usage | null {
  const usage = asFields(value);
  if (!usage) return null;
  const input = countIn(usage["input_tokens"]);
  const output = countIn(usage["output_tokens"]);
  if (input === undefined && output === undefined) return null;
  const heard = asFields(usage["input_token_details"]);
  const said = asFields(usage["output_token_details"]);
  const inputAudio = countIn(heard?.["audio_tokens"]);
  const outputAudio = countIn(said?.["audio_tokens"]);
  const audio = {
    ...(inputAudio !== undefined && { input_tokens: inputAudio }),
    ...(outputAudio !== undefined && { output_tokens: outputAudio }),
  };
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cache_input_tokens: countIn(heard?.["cached_tokens"]) ?? 0,
    cache_creation_input_tokens: 0,
    ...(Object.keys(audio).length > 0 && { audio }),
  };
}

function countIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
