// Limits of inbound webhooks and callbacks, each with its unit and its reason.

/** Tolerance of a webhook's timestamp in milliseconds; Standard Webhooks recommends five minutes. */
export const WEBHOOK_TOLERANCE_MS = 300_000;
/**
 * Milliseconds for which an accepted webhook's id is stored: its timestamp may be one tolerance ahead, and stays valid
 * for another one.
 */
export const INBOUND_ID_KEPT_MS = 2 * WEBHOOK_TOLERANCE_MS;
/** Characters of a webhook's id: senders use about thirty. */
export const MAX_WEBHOOK_ID_CHARACTERS = 256;
/** Signatures of one webhook that are checked: two valid secrets, and some of other versions. */
export const MAX_WEBHOOK_SIGNATURES = 8;
/**
 * Characters of a callback's token: it contains the ids of its calls, which models and clients choose within limits.
 */
export const MAX_CALLBACK_TOKEN_CHARACTERS = 8_192;
/** Random bytes of a webhook secret; Standard Webhooks requires 24 to 64. */
export const WEBHOOK_SECRET_BYTES = 32;
