// Finish reasons that say that the answer has failed: what was said so far is a part of it.
import type { ModelFailure } from "./model-failure.ts";

/**
 * `error` (OpenRouter, Mistral, vLLM), `network_error` (Zhipu), `abort` (vLLM, SGLang), `insufficient_system_resource`
 * (DeepSeek), `malformed_function_call` (Google), and what others of the kind are called.
 */
const FAILED =
  /^(?:.+_)?(?:error|errored|failed|failure|abort|aborted|cancelled|canceled|timeout|timed_out|interrupted|overloaded|unavailable|insufficient_system_resources?|malformed_function_call)$/;

/** Null for a reason that is no failure. */
export function failureOfFinish(reason: string): ModelFailure | null {
  const name = reason
    .trim()
    .toLowerCase()
    .replaceAll(/[\s:.-]+/g, "_");
  return FAILED.test(name)
    ? { type: "upstream", report: { kind: "provider_error", code: reason } }
    : null;
}
