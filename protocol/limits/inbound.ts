// Limits of what comes in signed, each with its unit and the reason for its size.

/** Milliseconds that a webhook's clock may be off; Standard Webhooks asks for five minutes. */
export const WEBHOOK_TOLERANCE_MS = 300_000;
/**
 * Milliseconds for which a taken webhook's id is remembered: its timestamp may be one tolerance ahead, and is
 * believed for one tolerance more.
 */
export const INBOUND_ID_KEPT_MS = 2 * WEBHOOK_TOLERANCE_MS;
/** Characters of a webhook's id: senders use some thirty. */
export const MAX_WEBHOOK_ID_CHARACTERS = 256;
/** Signatures of one webhook that are looked at: two live secrets, and some of versions that are not ours. */
export const MAX_WEBHOOK_SIGNATURES = 8;
/** Characters of a callback's token: its calls' ids are in it, and model and client choose no longer ones. */
export const MAX_CALLBACK_TOKEN_CHARACTERS = 8_192;
/** Random bytes of a webhook's secret; Standard Webhooks asks for 24 to 64. */
export const WEBHOOK_SECRET_BYTES = 32;
