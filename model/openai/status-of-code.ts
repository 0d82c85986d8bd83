// The codes of errors within OpenAI's streams, which have no status.

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

/** Undefined for a code that says nothing of the request. */
export function statusOfCode(code: string): number | undefined {
  if (Object.hasOwn(STATUSES, code)) return STATUSES[code];
  return ABOUT_IMAGES.test(code) ? 400 : undefined;
}
