// The codes of errors within a stream, which have no status.

/**
 * The status of the same error outside of a stream. Any other code is like 500, `server_error` and `overloaded_error`
 * among them.
 */
const STATUSES: Readonly<Record<string, number>> = {
  // OpenAI
  rate_limit_exceeded: 429,
  insufficient_quota: 402,
  context_length_exceeded: 400,
  invalid_prompt: 400,
  invalid_request_error: 400,
  bio_policy: 400,
  misalignment_policy_violation: 400,
  data_residency_mismatch: 400,
  invalid_api_key: 401,
  model_not_found: 404,
  // Anthropic; OpenAI has some of them as types
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  // gateways
  unauthorized: 401,
  forbidden: 403,
  too_many_requests: 429,
  // vLLM, by the names of Python's client
  BadRequestError: 400,
  AuthenticationError: 401,
  PermissionDeniedError: 403,
  NotFoundError: 404,
  RateLimitError: 429,
  // Google
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
};

/** Codes about images of the input begin or end so. */
const ABOUT_IMAGES = /^(?:invalid_(?:base64_)?image|image_|unsupported_image|empty_image)/;

/** Undefined for a code that says nothing of the request. */
export function statusOfCode(code: string): number | undefined {
  if (Object.hasOwn(STATUSES, code)) return STATUSES[code];
  return ABOUT_IMAGES.test(code) ? 400 : undefined;
}
