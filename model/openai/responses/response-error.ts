// Maps the errors within a stream of the Responses API to the error types of a reply.
import {
  failureKindOf,
  typeOfStatus,
  wordsOf,
  type ModelFailure,
} from "../../stream/model-failure.ts";

/** The status of the same error outside of a stream. Any other code is like 500, `server_error` among them. */
const STATUSES: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  insufficient_quota: 402,
  context_length_exceeded: 400,
  invalid_prompt: 400,
  invalid_request_error: 400,
  bio_policy: 400,
  misalignment_policy_violation: 400,
  data_residency_mismatch: 400,
};

/** Codes about images of the input begin or end so. */
const ABOUT_IMAGES = /^(?:invalid_(?:base64_)?image|image_|unsupported_image|empty_image)/;

/** Classifies the error of a `response.failed` or an `error` event. */
export function classifyResponseError(error: unknown): ModelFailure {
  const words = wordsOf(error);
  const { code = "" } = words;
  const known = Object.hasOwn(STATUSES, code) ? STATUSES[code] : undefined;
  const status = known ?? (ABOUT_IMAGES.test(code) ? 400 : 500);
  return { type: typeOfStatus(status), report: { kind: failureKindOf(status, words), ...words } };
}
