// Turns that Gemini has ended for a reason, which has a name.
import type { GeminiServerFrame } from "./gemini-frames.ts";
import type { WholeCall } from "./gemini-response.ts";
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";

const MAX_CODE_CHARACTERS = 100;
/** Gemini's word for a call that is no call. */
export const BROKEN_CALL = "MALFORMED_FUNCTION_CALL";

/** A call that is no JSON may be right the next time; all else refuses what was said, or what would be said. */
export function failureOfReason(reason: string): ProviderFailure {
  const code = reason.slice(0, MAX_CODE_CHARACTERS);
  if (reason === BROKEN_CALL) return providerFailure("malformed_answer", { code });
  const { error } = providerFailure("invalid_request");
  return { error, report: { kind: "answer_withheld", code } };
}

/** The call itself, if it can be run. */
export function wholeCall({
  id,
  name,
  input,
}: GeminiServerFrame["calls"][number]): WholeCall | null {
  return name === "" || input === null ? null : { id, name, input };
}
