// Turns that Gemini has ended for a reason, which has a name.
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";

const MAX_CODE_CHARACTERS = 100;
const BROKEN_CALL = "MALFORMED_FUNCTION_CALL";

/** A call that is no JSON may be right the next time; all else refuses what was said, or what would be said. */
export function failureOfReason(reason: string): ProviderFailure {
  const code = reason.slice(0, MAX_CODE_CHARACTERS);
  if (reason === BROKEN_CALL) return providerFailure("malformed_answer", { code });
  const { error } = providerFailure("invalid_request");
  return { error, report: { kind: "answer_withheld", code } };
}
