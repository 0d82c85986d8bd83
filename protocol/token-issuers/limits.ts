// Limits of token issuers and of the tokens that they sign. Each with its unit and its reason.

/** Issuers of one tenant: each one is tried for a token, and few tenants have more than one identity provider. */
export const MAX_TOKEN_ISSUERS = 10;
/** Agents that one issuer may be limited to. */
export const MAX_ISSUER_AGENTS = 50;
/** Characters of an issuer, an audience or the address of a key set. */
export const MAX_ISSUER_CHARACTERS = 500;
/** Characters of the name of the claim that says who the end user is. */
export const MAX_CLAIM_NAME_CHARACTERS = 100;
/** Characters of the text before an end user's id. */
export const MAX_END_USER_PREFIX_CHARACTERS = 50;
/** Milliseconds for which an agent's issuers are cached: a deleted one is refused after that time at the latest. */
export const ISSUER_CACHE_MS = 30_000;
/** Agents whose issuers one isolate has in its cache. */
export const MAX_CACHED_ISSUERS = 1_000;
/** Milliseconds for which a key set is used without reading it again. */
export const KEY_SET_CACHE_MS = 600_000;
/** Milliseconds for which a key set is used after that while its address does not answer. */
export const KEY_SET_STALE_MS = 3_600_000;
/**
 * Milliseconds between two reads of one key set, whatever tokens ask for: made-up key ids bring no more requests to the
 * issuer, and a new key is known after that time.
 */
export const KEY_SET_COOLDOWN_MS = 30_000;
/** Milliseconds until a key set has to be there whole. */
export const KEY_SET_TIMEOUT_MS = 5_000;
/** Bytes of a key set: a key of an issuer has some hundred. */
export const MAX_KEY_SET_BYTES = 65_536;
/** Keys of a key set. */
export const MAX_KEY_SET_KEYS = 50;
/** Key sets in the cache of one isolate. */
export const MAX_CACHED_KEY_SETS = 500;
/** Seconds by which the clocks of the issuer and of the platform may differ. */
export const TOKEN_CLOCK_TOLERANCE_SECONDS = 30;
